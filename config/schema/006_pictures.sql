-- A network's own ids of pictures that were sent before, by what the picture is called, and since when: an old
-- hand is hardly shown again.
DROP TABLE picture;
CREATE TABLE picture (
    account BIGINT NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (account, name)
);
CREATE INDEX picture_at ON picture (at);
