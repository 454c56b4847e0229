-- The name by which a room's link leads to a chat of the pages, once it was renewed; empty: the one that the key has.
ALTER TABLE chat ADD COLUMN link TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX chat_link ON chat (account, link) WHERE link <> '';
