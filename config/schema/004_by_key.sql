-- Tables that are only ever asked by their whole key, or by its beginning, are kept by it: one tree to write
-- to instead of two. BY_ITS_KEY is nothing in a database that knows no such thing.

CREATE TABLE heard_by_key (
    account BIGINT NOT NULL,
    id TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (account, id)
) BY_ITS_KEY;
INSERT INTO heard_by_key (account, id, at) SELECT account, id, at FROM heard;
DROP TABLE heard;
ALTER TABLE heard_by_key RENAME TO heard;
CREATE INDEX heard_at ON heard (at);

CREATE TABLE post_by_key (
    account BIGINT NOT NULL,
    place TEXT NOT NULL,
    slot TEXT NOT NULL,
    post TEXT NOT NULL,
    PRIMARY KEY (account, place, slot)
) BY_ITS_KEY;
INSERT INTO post_by_key (account, place, slot, post) SELECT account, place, slot, post FROM post;
DROP TABLE post;
ALTER TABLE post_by_key RENAME TO post;
