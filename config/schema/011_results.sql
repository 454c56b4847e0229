-- What a finished match leaves behind: one row a chat and a seat, never changed afterwards but for the review's
-- accuracy. Chat 0 has every match once. Each of the other tables here can be made of this one again, in the
-- order of id (`koikoi recount`).
--
-- person is the handle that played, 0 the computer. season is the chat's season at the end of the match, also
-- the seasons of other lengths it falls into. day counts local days from 1970-01-01. rateable: ratings may move,
-- as far as the match itself decides; rated is the handle whose rating moves. best and best_hand are the
-- dearest round won; yaku are those of all rounds won ("sanko=1 tane=3"). accuracy is in thousandths, -1 before
-- a review.
CREATE TABLE played (
    id KEY_COUNTED,
    chat BIGINT NOT NULL,
    session BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    person BIGINT NOT NULL,
    rated BIGINT NOT NULL,
    at BIGINT NOT NULL,
    day BIGINT NOT NULL,
    casual BIGINT NOT NULL,
    rateable BIGINT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    gave_up BIGINT NOT NULL,
    points BIGINT NOT NULL,
    rounds BIGINT NOT NULL,
    rounds_won BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    calls_won BIGINT NOT NULL,
    calls_paid BIGINT NOT NULL,
    best BIGINT NOT NULL,
    accuracy BIGINT NOT NULL,
    season TEXT NOT NULL,
    also TEXT NOT NULL,
    rules TEXT NOT NULL,
    best_hand TEXT NOT NULL,
    yaku TEXT NOT NULL,
    UNIQUE (chat, session, seat)
);
CREATE INDEX played_person ON played (chat, person, session);

-- Sums by season; the season "all" is every one of them. Those from before there was a table of matches are kept
-- apart, for a recount begins with them.
ALTER TABLE result RENAME TO result_before;
INSERT INTO result_before (chat, season, person, won, drawn, lost, points)
    SELECT chat, 'all', person, SUM(won), SUM(drawn), SUM(lost), SUM(points) FROM result_before
    WHERE LENGTH(season) = 4 GROUP BY chat, person;
CREATE TABLE result (
    chat BIGINT NOT NULL,
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
    PRIMARY KEY (chat, season, person)
) BY_ITS_KEY;
INSERT INTO result (chat, season, person, won, drawn, lost, points)
    SELECT chat, season, person, won, drawn, lost, points FROM result_before;

-- The same of one person against another.
CREATE TABLE pairing (
    chat BIGINT NOT NULL,
    season TEXT NOT NULL,
    person BIGINT NOT NULL,
    other BIGINT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    points BIGINT NOT NULL,
    PRIMARY KEY (chat, season, person, other)
) BY_ITS_KEY;

-- Counts by name: "yaku/sanko", "won/okoshki", "review/matches".
CREATE TABLE counted (
    chat BIGINT NOT NULL,
    person BIGINT NOT NULL,
    what TEXT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (chat, person, what)
) BY_ITS_KEY;

-- Glicko-2: points and deviation in thousandths, volatility in hundred-millionths; season and at are those of the
-- last rated match.
CREATE TABLE rating (
    chat BIGINT NOT NULL,
    person BIGINT NOT NULL,
    points BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    volatility BIGINT NOT NULL,
    matches BIGINT NOT NULL,
    season TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (chat, person)
) BY_ITS_KEY;
-- Rated matches of two people on the last day they had one; person < other.
CREATE TABLE rated_pair (
    chat BIGINT NOT NULL,
    person BIGINT NOT NULL,
    other BIGINT NOT NULL,
    day BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (chat, person, other)
) BY_ITS_KEY;

-- Seasons with results that have not been closed, and when they end; 0: when an admin ends them.
CREATE TABLE season_open (
    chat BIGINT NOT NULL,
    season TEXT NOT NULL,
    due BIGINT NOT NULL,
    PRIMARY KEY (chat, season)
) BY_ITS_KEY;
CREATE INDEX season_open_due ON season_open (due) WHERE due > 0;
-- The table of a closed season, for good: row is its order, place is shared by equals.
CREATE TABLE season_row (
    chat BIGINT NOT NULL,
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
    PRIMARY KEY (chat, season, row)
) BY_ITS_KEY;

-- What a person may be proud of, by its name in config/badges.json, and where it was earned first.
CREATE TABLE badge (
    person BIGINT NOT NULL,
    name TEXT NOT NULL,
    chat BIGINT NOT NULL,
    session BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, name)
) BY_ITS_KEY;
