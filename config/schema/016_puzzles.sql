-- The puzzle of the day in a chat: when the next one is due (0: they are off), and the local day, counted from
-- 1970-01-01, of the last one that was posted there.
CREATE TABLE puzzle_post (
    chat BIGINT NOT NULL,
    due BIGINT NOT NULL,
    day BIGINT NOT NULL,
    PRIMARY KEY (chat)
) BY_ITS_KEY;
CREATE INDEX puzzle_post_due ON puzzle_post (due) WHERE due > 0;

-- What a handle answered to the puzzle of a day, and where; `answer` counts the legal moves from 1.
CREATE TABLE puzzle_answer (
    day BIGINT NOT NULL,
    person BIGINT NOT NULL,
    answer BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    chat BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (day, person)
) BY_ITS_KEY;
CREATE INDEX puzzle_answer_person ON puzzle_answer (person, day);
