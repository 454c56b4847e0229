-- The newest finished match of a person, wherever it was played: what they ask for in private.
CREATE TABLE last_match (
    person BIGINT PRIMARY KEY,
    session BIGINT NOT NULL
);
