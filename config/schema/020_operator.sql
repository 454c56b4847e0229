-- Who is banned, and when they were last told (unix ms; 0: never). It counts for the person a handle counts as.
ALTER TABLE person ADD COLUMN banned BIGINT NOT NULL DEFAULT 0;
ALTER TABLE person ADD COLUMN ban_told BIGINT NOT NULL DEFAULT 0;
CREATE INDEX person_banned ON person (banned) WHERE banned > 0;

-- What the operator has to say to a chat, and since when; the row goes with the message.
CREATE TABLE announcement (
    chat BIGINT NOT NULL,
    due BIGINT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (chat, due)
) BY_ITS_KEY;
CREATE INDEX announcement_due ON announcement (due);
