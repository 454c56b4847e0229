-- What is in quarantine can be tried again. packed: the update as bot/port packs it, empty if it was kept before this
-- step; session: the match that was set aside, 0 if the row is an update; again: how often it is being tried, from 1,
-- 0 if it is not asked for.
ALTER TABLE quarantine ADD COLUMN packed BYTES NOT NULL DEFAULT '';
ALTER TABLE quarantine ADD COLUMN session BIGINT NOT NULL DEFAULT 0;
ALTER TABLE quarantine ADD COLUMN again BIGINT NOT NULL DEFAULT 0;
CREATE INDEX quarantine_again ON quarantine (again) WHERE again > 0;
