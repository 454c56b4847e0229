-- Results of matches are kept under the account of their chat; in the pool of all chats (0) under that of the handle, the
-- computer's there beside that of the first handle of the match.
ALTER TABLE played ADD COLUMN account BIGINT NOT NULL DEFAULT 0;
UPDATE played SET account = COALESCE((SELECT account FROM chat WHERE id = played.chat), 0) WHERE chat > 0;
UPDATE played SET account = COALESCE((SELECT account FROM person WHERE id = played.person), 0)
    WHERE chat = 0 AND person > 0;
UPDATE played SET account = COALESCE((SELECT o.account FROM played AS o WHERE o.chat = 0 AND o.session = played.session
    AND o.person > 0 ORDER BY o.seat LIMIT 1), 0) WHERE chat = 0 AND person = 0;
DROP INDEX played_person;
CREATE INDEX played_person ON played (chat, person, session, account);
ON_SERVER ALTER TABLE played DROP CONSTRAINT played_pkey, ADD PRIMARY KEY (id, account);
ON_SERVER ALTER TABLE played DROP CONSTRAINT played_chat_session_seat_key, ADD UNIQUE (chat, session, seat, account);
IN_PARTS;
