-- The champion of the week in a chat: when it is looked for next (0: never), and the local day, counted from
-- 1970-01-01, on which it was posted last.
CREATE TABLE week_post (
    chat BIGINT NOT NULL,
    due BIGINT NOT NULL,
    day BIGINT NOT NULL,
    PRIMARY KEY (chat)
) BY_ITS_KEY;
CREATE INDEX week_post_due ON week_post (due) WHERE due > 0;
