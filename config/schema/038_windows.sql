-- A browser in another program's window counts once its person has written the code that it shows into a chat; until then
-- its row has the code.
ALTER TABLE login ADD COLUMN code TEXT NOT NULL DEFAULT '';
