-- Rows of the outbox come and go with every message, so they cost no more than they must. Their numbers are given
-- by us (KEY_GIVEN), still never twice: meta "outbox_next" is above all that were given out. And only those
-- that wait are looked for by their lane; what is under way is in memory.

CREATE TABLE outbox_given (
    id KEY_GIVEN,
    account BIGINT NOT NULL,
    lane TEXT NOT NULL,
    slot TEXT NOT NULL,
    flown BIGINT NOT NULL,
    not_before BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    progress TEXT NOT NULL,
    said BYTES NOT NULL
);
INSERT INTO outbox_given (id, account, lane, slot, flown, not_before, tries, progress, said)
    SELECT id, account, lane, slot, flown, not_before, tries, progress, said FROM outbox;
-- The old table says what it would have given out next.
INSERT INTO outbox (account, lane, slot, flown, not_before, tries, progress, said)
    VALUES (0, '', '', 0, 0, 0, '', '');
INSERT INTO meta (name, value) SELECT 'outbox_next', CAST(MAX(id) AS TEXT) FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_given RENAME TO outbox;
CREATE INDEX outbox_lane ON outbox (account, lane, id) WHERE flown = 0;
