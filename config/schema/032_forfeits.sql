-- Whether a match was won or lost because somebody left. Of three players who play on without one, only the leaver's.
ALTER TABLE played ADD COLUMN forfeit BIGINT NOT NULL DEFAULT 0;
UPDATE played SET forfeit = 1 WHERE gave_up = 1;
UPDATE played SET forfeit = 1 WHERE won = 1
    AND EXISTS (SELECT 1 FROM played AS o WHERE o.chat = played.chat AND o.session = played.session AND o.gave_up = 1)
    AND (SELECT COUNT(*) FROM played AS o WHERE o.chat = played.chat AND o.session = played.session) = 2;
