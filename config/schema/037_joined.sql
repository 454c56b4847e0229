-- A chat that became another: the number that is gone, and the chat that has its matches. For rows that were set aside
-- before and keep their bytes.
CREATE TABLE joined_chat (
    gone BIGINT NOT NULL,
    chat BIGINT NOT NULL,
    PRIMARY KEY (gone)
) BY_ITS_KEY;
