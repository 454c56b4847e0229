-- What is counted from the results of matches is kept as they are: under the account of the chat, in the pool of all chats
-- (0) under that of the handle; of a pair that of the first, or of the other where the first is the computer.
DROP INDEX result_person;

ON_SERVER ALTER TABLE result DROP CONSTRAINT result_pkey;
ALTER TABLE result RENAME TO whole;
CREATE TABLE result (
    chat BIGINT NOT NULL,
    account BIGINT NOT NULL,
    season TEXT NOT NULL,
    person BIGINT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    points BIGINT NOT NULL,
    gave_up BIGINT NOT NULL DEFAULT 0,
    rounds BIGINT NOT NULL DEFAULT 0,
    rounds_won BIGINT NOT NULL DEFAULT 0,
    calls BIGINT NOT NULL DEFAULT 0,
    calls_won BIGINT NOT NULL DEFAULT 0,
    calls_paid BIGINT NOT NULL DEFAULT 0,
    best BIGINT NOT NULL DEFAULT 0,
    best_hand TEXT NOT NULL DEFAULT '',
    streak BIGINT NOT NULL DEFAULT 0,
    longest BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (chat, season, person, account)
) BY_ITS_KEY;
INSERT INTO result SELECT chat, COALESCE(CASE chat WHEN 0 THEN (SELECT account FROM person WHERE id = whole.person)
    ELSE (SELECT account FROM chat WHERE id = whole.chat) END, 0), season, person, won, drawn, lost, points, gave_up,
    rounds, rounds_won, calls, calls_won, calls_paid, best, best_hand, streak, longest FROM whole;
DROP TABLE whole;
CREATE INDEX result_person ON result (person) WHERE season = 'all';

ON_SERVER ALTER TABLE pairing DROP CONSTRAINT pairing_pkey;
ALTER TABLE pairing RENAME TO whole;
CREATE TABLE pairing (
    chat BIGINT NOT NULL,
    account BIGINT NOT NULL,
    season TEXT NOT NULL,
    person BIGINT NOT NULL,
    other BIGINT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    points BIGINT NOT NULL,
    PRIMARY KEY (chat, season, person, other, account)
) BY_ITS_KEY;
INSERT INTO pairing SELECT chat, COALESCE(CASE chat WHEN 0 THEN (SELECT account FROM person WHERE id = CASE
    whole.person WHEN 0 THEN whole.other ELSE whole.person END) ELSE (SELECT account FROM chat WHERE id = whole.chat)
    END, 0), season, person, other, won, drawn, lost, points FROM whole;
DROP TABLE whole;

ON_SERVER ALTER TABLE counted DROP CONSTRAINT counted_pkey;
ALTER TABLE counted RENAME TO whole;
CREATE TABLE counted (
    chat BIGINT NOT NULL,
    account BIGINT NOT NULL,
    person BIGINT NOT NULL,
    what TEXT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (chat, person, what, account)
) BY_ITS_KEY;
INSERT INTO counted SELECT chat, COALESCE(CASE chat WHEN 0 THEN (SELECT account FROM person WHERE id = whole.person)
    ELSE (SELECT account FROM chat WHERE id = whole.chat) END, 0), person, what, n FROM whole;
DROP TABLE whole;

ON_SERVER ALTER TABLE rating DROP CONSTRAINT rating_pkey;
ALTER TABLE rating RENAME TO whole;
CREATE TABLE rating (
    chat BIGINT NOT NULL,
    account BIGINT NOT NULL,
    person BIGINT NOT NULL,
    points BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    volatility BIGINT NOT NULL,
    matches BIGINT NOT NULL,
    season TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (chat, person, account)
) BY_ITS_KEY;
INSERT INTO rating SELECT chat, COALESCE(CASE chat WHEN 0 THEN (SELECT account FROM person WHERE id = whole.person)
    ELSE (SELECT account FROM chat WHERE id = whole.chat) END, 0), person, points, deviation, volatility, matches,
    season, at FROM whole;
DROP TABLE whole;

ON_SERVER ALTER TABLE rated_pair DROP CONSTRAINT rated_pair_pkey;
ALTER TABLE rated_pair RENAME TO whole;
CREATE TABLE rated_pair (
    chat BIGINT NOT NULL,
    account BIGINT NOT NULL,
    person BIGINT NOT NULL,
    other BIGINT NOT NULL,
    day BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (chat, person, other, account)
) BY_ITS_KEY;
INSERT INTO rated_pair SELECT chat, COALESCE(CASE chat WHEN 0 THEN (SELECT account FROM person WHERE id = CASE
    whole.person WHEN 0 THEN whole.other ELSE whole.person END) ELSE (SELECT account FROM chat WHERE id = whole.chat)
    END, 0), person, other, day, n FROM whole;
DROP TABLE whole;

ON_SERVER ALTER TABLE season_row DROP CONSTRAINT season_row_pkey;
ALTER TABLE season_row RENAME TO whole;
CREATE TABLE season_row (
    chat BIGINT NOT NULL,
    account BIGINT NOT NULL,
    season TEXT NOT NULL,
    row BIGINT NOT NULL,
    place BIGINT NOT NULL,
    person BIGINT NOT NULL,
    closed BIGINT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    points BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    calls_won BIGINT NOT NULL,
    best BIGINT NOT NULL,
    best_hand TEXT NOT NULL,
    longest BIGINT NOT NULL,
    rating BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    PRIMARY KEY (chat, season, row, account)
) BY_ITS_KEY;
INSERT INTO season_row SELECT chat, COALESCE(CASE chat WHEN 0 THEN (SELECT account FROM person WHERE id =
    whole.person) ELSE (SELECT account FROM chat WHERE id = whole.chat) END, 0), season, row, place, person, closed,
    won, drawn, lost, points, calls, calls_won, best, best_hand, longest, rating, deviation FROM whole;
DROP TABLE whole;
IN_PARTS;
