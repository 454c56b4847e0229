-- Tries at duels are kept under the account of their chat, answers to puzzles under that of their handle.
DROP INDEX duel_try_session;
DROP INDEX duel_try_person;
DROP INDEX puzzle_answer_person;
DROP INDEX puzzle_answer_chat;

ON_SERVER ALTER TABLE puzzle_answer DROP CONSTRAINT puzzle_answer_pkey;
ALTER TABLE puzzle_answer RENAME TO whole;
CREATE TABLE puzzle_answer (
    day BIGINT NOT NULL,
    account BIGINT NOT NULL,
    person BIGINT NOT NULL,
    answer BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    chat BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (day, person, account)
) BY_ITS_KEY;
INSERT INTO puzzle_answer SELECT day, COALESCE((SELECT account FROM person WHERE id = whole.person), 0), person, answer,
    solved, chat, at FROM whole;
DROP TABLE whole;
CREATE INDEX puzzle_answer_person ON puzzle_answer (person, day);
CREATE INDEX puzzle_answer_chat ON puzzle_answer (chat, day);

ON_SERVER ALTER TABLE duel_try DROP CONSTRAINT duel_try_pkey;
ALTER TABLE duel_try RENAME TO whole;
CREATE TABLE duel_try (
    chat BIGINT NOT NULL,
    account BIGINT NOT NULL,
    day BIGINT NOT NULL,
    person BIGINT NOT NULL,
    session BIGINT NOT NULL,
    state BIGINT NOT NULL,
    points BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (chat, day, person, account)
) BY_ITS_KEY;
INSERT INTO duel_try SELECT chat, COALESCE((SELECT account FROM chat WHERE id = whole.chat), 0), day, person, session,
    state, points, at FROM whole;
DROP TABLE whole;
CREATE INDEX duel_try_session ON duel_try (session);
CREATE INDEX duel_try_person ON duel_try (person, chat, day);
IN_PARTS;
