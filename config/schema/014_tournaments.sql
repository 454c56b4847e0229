-- A tournament from its opening to its table. chat is where it was opened; host is a handle. format and stage are
-- those of bot/core/tournament. ends is when joining or the round ends, due when its timer fires (0: never). rules
-- is the rule set of its matches in the core's notation.
CREATE TABLE tournament (
    id KEY_COUNTED,
    chat BIGINT NOT NULL,
    host BIGINT NOT NULL,
    format BIGINT NOT NULL,
    stage BIGINT NOT NULL,
    rounds BIGINT NOT NULL,
    round BIGINT NOT NULL,
    round_ms BIGINT NOT NULL,
    clock_ms BIGINT NOT NULL,
    total_ms BIGINT NOT NULL,
    gain_ms BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    due BIGINT NOT NULL,
    reminded BIGINT NOT NULL,
    by_code BIGINT NOT NULL,
    rules TEXT NOT NULL
);
CREATE INDEX tournament_chat ON tournament (chat, id);
CREATE INDEX tournament_due ON tournament (due) WHERE due > 0;

-- Its people by place: in order of joining, from the start on by seed. person is the handle that joined, in `chat`.
CREATE TABLE tournament_player (
    tournament BIGINT NOT NULL,
    place BIGINT NOT NULL,
    person BIGINT NOT NULL,
    chat BIGINT NOT NULL,
    rating BIGINT NOT NULL,
    gone BIGINT NOT NULL,
    PRIMARY KEY (tournament, place)
) BY_ITS_KEY;
CREATE INDEX tournament_player_person ON tournament_player (person, tournament);
CREATE INDEX tournament_player_chat ON tournament_player (chat, tournament);

-- Its games; first and second are places, 255 is nobody.
CREATE TABLE tournament_game (
    tournament BIGINT NOT NULL,
    round BIGINT NOT NULL,
    board BIGINT NOT NULL,
    first BIGINT NOT NULL,
    second BIGINT NOT NULL,
    result BIGINT NOT NULL,
    unplayed BIGINT NOT NULL,
    session BIGINT NOT NULL,
    PRIMARY KEY (tournament, round, board)
) BY_ITS_KEY;
