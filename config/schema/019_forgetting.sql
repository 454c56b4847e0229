-- Handles of people who are being forgotten: their matches and records lose the name in steps. who is the person
-- they counted as, direct_chat the key of their private chat, name what stands in for theirs. The matches up to
-- reached are done. The rows of a person leave together, after the last step.
CREATE TABLE forgetting (
    person BIGINT PRIMARY KEY,
    who BIGINT NOT NULL,
    account BIGINT NOT NULL,
    direct_chat TEXT NOT NULL,
    name TEXT NOT NULL,
    reached BIGINT NOT NULL DEFAULT 0
);
