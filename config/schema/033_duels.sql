-- The daily duel of a chat: when its day ends or the next one begins (0: there are none), the local day that runs,
-- counted from 1970-01-01 (0: none does), the seed that all its deals follow from, and its rule set in the core's
-- notation. A day that is over has left its seed in the chat.
CREATE TABLE duel (
    chat BIGINT NOT NULL,
    due BIGINT NOT NULL,
    day BIGINT NOT NULL,
    seed TEXT NOT NULL,
    rules TEXT NOT NULL,
    PRIMARY KEY (chat)
) BY_ITS_KEY;
CREATE INDEX duel_due ON duel (due) WHERE due > 0;

-- The one try of a handle at the duel of a day. state is enum duel_state of bot/core/duel; points are the own ones less
-- the computer's.
CREATE TABLE duel_try (
    chat BIGINT NOT NULL,
    day BIGINT NOT NULL,
    person BIGINT NOT NULL,
    session BIGINT NOT NULL,
    state BIGINT NOT NULL,
    points BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (chat, day, person)
) BY_ITS_KEY;
CREATE INDEX duel_try_session ON duel_try (session);
CREATE INDEX duel_try_person ON duel_try (person, chat, day);
