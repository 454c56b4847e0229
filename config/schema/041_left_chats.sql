-- Chats that a handle has left, as the network told: " 12 40 ", the newest last, a few at most.
ALTER TABLE person ADD COLUMN left_chats TEXT NOT NULL DEFAULT '';
CREATE INDEX person_left ON person (id) WHERE left_chats <> '';
