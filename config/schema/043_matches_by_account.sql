-- A match is kept under its home: the account of its first chat when it was made, 0 if it has none or is from before
-- this step. A chat finds its matches under its own account, with their homes; session_home has the home of a match by
-- its number.
ALTER TABLE session ADD COLUMN account BIGINT NOT NULL DEFAULT 0;
ALTER TABLE record ADD COLUMN account BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session_person ADD COLUMN home BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session_chat ADD COLUMN home BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session_chat ADD COLUMN account BIGINT NOT NULL DEFAULT 0;
UPDATE session_chat SET account = COALESCE((SELECT account FROM chat WHERE id = session_chat.chat), 0);
CREATE TABLE session_home (
    session BIGINT NOT NULL,
    home BIGINT NOT NULL,
    PRIMARY KEY (session)
) BY_ITS_KEY;
ON_SERVER ALTER TABLE session DROP CONSTRAINT session_pkey, ADD PRIMARY KEY (id, account);
ON_SERVER ALTER TABLE record DROP CONSTRAINT record_pkey, ADD PRIMARY KEY (id, account);
ON_SERVER ALTER TABLE session_chat DROP CONSTRAINT session_chat_pkey, ADD PRIMARY KEY (chat, live, session, account);
ON_SERVER DROP INDEX session_due;
ON_SERVER CREATE INDEX session_due ON session (account, due) WHERE due > 0;
IN_PARTS;
