-- One person may have handles on several networks. A row of person is a handle; owner is the handle whose
-- person it counts as, 0 for its own. Never a chain: an owner's own owner is 0.
ALTER TABLE person ADD COLUMN owner BIGINT NOT NULL DEFAULT 0;
CREATE INDEX person_owner ON person (owner) WHERE owner > 0;

-- The code that a handle has asked for, until it is used or expires; and how many wrong ones were typed
-- from there since when.
CREATE TABLE link_code (
    person BIGINT PRIMARY KEY,
    code TEXT NOT NULL DEFAULT '',
    expires BIGINT NOT NULL DEFAULT 0,
    wrong BIGINT NOT NULL DEFAULT 0,
    since BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX link_code_code ON link_code (code) WHERE code <> '';
