-- The tables of a new store, as the steps up to this number leave those of an older one. Steps are the other files of this
-- folder: they are applied in order of their numbers, once each, and never edited afterwards. A change is a new step; this
-- file may take in the newest ones, and gets their number.
--
-- Words stand for what databases call differently: KEY_COUNTED (an integer primary key that the database counts up and
-- never gives out twice), KEY_GIVEN (one that we count), BYTES (a column of any bytes), and BY_ITS_KEY (a table that is
-- only ever asked by its whole key, or by its beginning, is kept by it: one tree to write to instead of two; nothing
-- in a database that knows no such thing). All times are unix milliseconds.

CREATE TABLE account (
    id KEY_COUNTED,
    name TEXT NOT NULL UNIQUE,
    cursor TEXT NOT NULL DEFAULT ''
);

-- Updates that were heard: what arrives twice is taken once. An id may come again with another content, from a server
-- put back from a backup: what is a sum of the content.
CREATE TABLE heard (
    account BIGINT NOT NULL,
    id TEXT NOT NULL,
    what BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (account, id, what)
) BY_ITS_KEY;
CREATE INDEX heard_at ON heard (account, at);

-- One person may have handles on several networks. A row is a handle; owner is the handle whose person it counts as, 0
-- for its own. Never a chain: an owner's own owner is 0. network_id is NULL for somebody who was named by handle and
-- has not spoken yet. handle_key is the handle in lower case. banned and ban_told: when, and when they last read of it
-- (0: never); a ban counts for the person.
CREATE TABLE person (
    id KEY_COUNTED,
    account BIGINT NOT NULL,
    network_id TEXT,
    name TEXT NOT NULL,
    handle TEXT NOT NULL,
    handle_key TEXT NOT NULL,
    language TEXT NOT NULL,
    prefs TEXT NOT NULL DEFAULT '',
    direct_chat TEXT NOT NULL DEFAULT '',
    reachable BIGINT NOT NULL DEFAULT 0,
    owner BIGINT NOT NULL DEFAULT 0,
    banned BIGINT NOT NULL DEFAULT 0,
    ban_told BIGINT NOT NULL DEFAULT 0,
    left_chats TEXT NOT NULL DEFAULT '', -- ids of chats that the handle has left: " 12 40 ", the newest last, a few at most
    UNIQUE (account, network_id)
);
CREATE INDEX person_handle ON person (account, handle_key) WHERE handle_key <> '';
-- Whose private chat is this? Asked when a chat moves, and there may be millions of people.
CREATE INDEX person_direct ON person (account, direct_chat) WHERE direct_chat <> '';
CREATE INDEX person_owner ON person (owner) WHERE owner > 0;
CREATE INDEX person_banned ON person (banned) WHERE banned > 0;
CREATE INDEX person_left ON person (id) WHERE left_chats <> '';

-- Network ids of people who are banned, and since when: a ban holds for the id on every account of the network
-- ("telegram." of the accounts telegram and telegram.second), and stays when the person is forgotten. The mark in the
-- row of each of their handles follows from it.
CREATE TABLE ban (
    network TEXT NOT NULL,
    network_id TEXT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (network, network_id)
) BY_ITS_KEY;

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

-- link: the name by which a room's link leads to a chat of the pages, once it was renewed; empty: the one that the key
-- has.
CREATE TABLE chat (
    id KEY_COUNTED,
    account BIGINT NOT NULL,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    direct BIGINT NOT NULL,
    settings TEXT NOT NULL DEFAULT '',
    link TEXT NOT NULL DEFAULT '',
    UNIQUE (account, key)
);
CREATE UNIQUE INDEX chat_link ON chat (account, link) WHERE link <> '';
-- A chat that became another: the number that is gone, and the chat that has its matches. For rows that were set aside
-- before and keep their bytes.
CREATE TABLE joined_chat (
    gone BIGINT NOT NULL,
    chat BIGINT NOT NULL,
    PRIMARY KEY (gone)
) BY_ITS_KEY;
CREATE INDEX joined_chat_chat ON joined_chat (chat);

-- people and chats are lists of ids, for reading; while the session is live they are also rows of the
-- two tables below, for finding. ended is when it ended, so that it can leave after a while if the operator wants that;
-- 0: it is live.
--
-- sum, here and below, is a checksum of a row that no match can do without (bot/store/sum.h).
CREATE TABLE session (
    id KEY_COUNTED,
    version BIGINT NOT NULL,
    due BIGINT NOT NULL,
    live BIGINT NOT NULL,
    people TEXT NOT NULL,
    chats TEXT NOT NULL,
    line TEXT NOT NULL,
    sum BIGINT NOT NULL DEFAULT 0,
    ended BIGINT NOT NULL DEFAULT 0,
    account BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX session_due ON session (due) WHERE due > 0;
CREATE INDEX session_ended ON session (ended) WHERE ended > 0;
CREATE INDEX session_live ON session (id) WHERE live = 1;
CREATE TABLE session_person (
    person BIGINT NOT NULL,
    session BIGINT NOT NULL,
    home BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (person, session)
);
-- Ended sessions stay here, not live, so that the last one of a chat can be found.
CREATE TABLE session_chat (
    chat BIGINT NOT NULL,
    live BIGINT NOT NULL,
    session BIGINT NOT NULL,
    home BIGINT NOT NULL DEFAULT 0,
    account BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (chat, live, session)
);
CREATE INDEX session_chat_live ON session_chat (chat, session) WHERE live = 1;
-- The newest finished match of a person, wherever it was played: what they ask for in private.
CREATE TABLE last_match (
    person BIGINT PRIMARY KEY,
    session BIGINT NOT NULL
);

-- The record of a match, in pieces of whole lines.
CREATE TABLE record (
    id KEY_COUNTED,
    session BIGINT NOT NULL,
    lines TEXT NOT NULL,
    sum BIGINT NOT NULL DEFAULT 0,
    account BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX record_session ON record (session, id);

-- What is still to be said. A row leaves when the network has taken it or it has become worthless. Rows come and go
-- with every message, so they cost no more than they must: their numbers are given by us, still never twice (meta
-- "outbox_next" is above all that were given out), and only those that wait are looked for by their lane; what is under
-- way is in memory.
CREATE TABLE outbox (
    id KEY_GIVEN,
    account BIGINT NOT NULL,
    lane TEXT NOT NULL,
    slot TEXT NOT NULL,
    flown BIGINT NOT NULL,
    not_before BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    progress TEXT NOT NULL,
    said BYTES NOT NULL
);
CREATE INDEX outbox_lane ON outbox (account, lane, id) WHERE flown = 0;

-- Where the message of a slot stands on the network, for later edits.
CREATE TABLE post (
    account BIGINT NOT NULL,
    place TEXT NOT NULL,
    slot TEXT NOT NULL,
    post TEXT NOT NULL,
    PRIMARY KEY (account, place, slot)
) BY_ITS_KEY;

-- A network's own ids of pictures that were sent before, by what the picture is called, and since when: an old
-- hand is hardly shown again.
CREATE TABLE picture (
    account BIGINT NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (account, name)
);
CREATE INDEX picture_at ON picture (account, at);

-- Updates that could not be taken, for whoever looks into it, and can be tried again. packed: the update as bot/port
-- packs it; session: the match that was set aside, 0 if the row is
-- an update; again: how often it is being tried, from 1, 0 if it is not asked for.
CREATE TABLE quarantine (
    id KEY_COUNTED,
    account BIGINT NOT NULL,
    at BIGINT NOT NULL,
    raw BYTES NOT NULL,
    why TEXT NOT NULL,
    packed BYTES NOT NULL DEFAULT '',
    session BIGINT NOT NULL DEFAULT 0,
    again BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX quarantine_again ON quarantine (again) WHERE again > 0;

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    sum BIGINT NOT NULL DEFAULT 0
);

-- What a finished match leaves behind: one row a chat and a seat, never changed afterwards but for the review's
-- accuracy. Chat 0 has every match once. The tables from result to badge, below, can be made of this one again, in
-- the order of id (`koikoi recount`).
--
-- person is the handle that played, 0 the computer. season is the chat's season at the end of the match, also
-- the seasons of other lengths it falls into. day counts local days from 1970-01-01. rateable: ratings may move,
-- as far as the match itself decides; rated is the handle whose rating moves. best and best_hand are the
-- dearest round won; yaku are those of all rounds won ("sanko=1 tane=3"). accuracy is in thousandths, -1 before
-- a review. forfeit: it was won or lost because somebody left; of three players who play on without one, only the
-- leaver's. account is the chat's; of chat 0 that of the handle, for the computer that of the first handle of the match.
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
    forfeit BIGINT NOT NULL DEFAULT 0,
    account BIGINT NOT NULL DEFAULT 0,
    UNIQUE (chat, session, seat)
);
CREATE INDEX played_person ON played (chat, person, session, account);

-- Sums by season; the season "all" is every one of them. account, here and below, is the chat's, of chat 0 that of the
-- handle; of two handles that of the first, or of the other where the first is the computer.
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
CREATE INDEX result_person ON result (person) WHERE season = 'all';

-- The same of one person against another.
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

-- Counts by name: "yaku/sanko", "won/okoshki", "review/matches".
CREATE TABLE counted (
    chat BIGINT NOT NULL,
    account BIGINT NOT NULL,
    person BIGINT NOT NULL,
    what TEXT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (chat, person, what, account)
) BY_ITS_KEY;

-- Glicko-2: points and deviation in thousandths, volatility in hundred-millionths; season and at are those of the
-- last rated match.
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
-- Rated matches of two people on the last day they had one; person < other.
CREATE TABLE rated_pair (
    chat BIGINT NOT NULL,
    account BIGINT NOT NULL,
    person BIGINT NOT NULL,
    other BIGINT NOT NULL,
    day BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (chat, person, other, account)
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

-- What a person may be proud of, by its name in config/badges.json, and where it was earned first.
CREATE TABLE badge (
    person BIGINT NOT NULL,
    name TEXT NOT NULL,
    chat BIGINT NOT NULL,
    session BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, name)
) BY_ITS_KEY;
CREATE INDEX badge_chat ON badge (chat);

-- Searches for an opponent that wait: challenges that people of other chats may meet. points is the rating over
-- all chats. An empty rules or clock means any.
CREATE TABLE seek (
    session BIGINT PRIMARY KEY,
    person BIGINT NOT NULL,
    points BIGINT NOT NULL,
    at BIGINT NOT NULL,
    rules TEXT NOT NULL,
    clock TEXT NOT NULL
);

-- People who want to read of somebody who looks for a game: in one chat, or anywhere (chat 0). at: when they last
-- read of one.
CREATE TABLE watch (
    person BIGINT NOT NULL,
    chat BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, chat)
) BY_ITS_KEY;
CREATE INDEX watch_chat ON watch (chat, at);

-- A tournament from its opening to its table. chat is where it was opened; host is a handle. format and stage are
-- those of bot/core/tournament. ends is when joining or the round ends, or when it ended: those that are over or
-- cancelled leave after a while if the operator wants that. due is when its timer fires (0: never). rules is the rule
-- set of its matches in the core's notation.
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
CREATE INDEX tournament_ended ON tournament (ends) WHERE stage > 1;

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

-- The puzzle of the day in a chat: when the next one is due (0: they are off), and the local day, counted from
-- 1970-01-01, of the last one that was posted there.
CREATE TABLE puzzle_post (
    chat BIGINT NOT NULL,
    due BIGINT NOT NULL,
    day BIGINT NOT NULL,
    PRIMARY KEY (chat)
) BY_ITS_KEY;
CREATE INDEX puzzle_post_due ON puzzle_post (due) WHERE due > 0;

-- What a handle answered to the puzzle of a day, and where; `answer` counts the legal moves from 1. account is the
-- handle's.
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
CREATE INDEX puzzle_answer_person ON puzzle_answer (person, day);
CREATE INDEX puzzle_answer_chat ON puzzle_answer (chat, day);

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
-- the computer's. account is the chat's.
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
CREATE INDEX duel_try_session ON duel_try (session);
CREATE INDEX duel_try_person ON duel_try (person, chat, day);

-- The champion of the week in a chat: when it is looked for next (0: never), and the local day, counted from
-- 1970-01-01, on which it was posted last.
CREATE TABLE week_post (
    chat BIGINT NOT NULL,
    due BIGINT NOT NULL,
    day BIGINT NOT NULL,
    PRIMARY KEY (chat)
) BY_ITS_KEY;
CREATE INDEX week_post_due ON week_post (due) WHERE due > 0;

-- What an account keeps by name, sealed: keys and ratchets of encrypted rooms.
CREATE TABLE vault (
    account BIGINT NOT NULL,
    name TEXT NOT NULL,
    sealed BYTES NOT NULL,
    PRIMARY KEY (account, name)
) BY_ITS_KEY;

-- What the operator has to say to a chat, and since when; the row goes with the message.
CREATE TABLE announcement (
    chat BIGINT NOT NULL,
    due BIGINT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (chat, due)
) BY_ITS_KEY;
CREATE INDEX announcement_due ON announcement (due);

-- The letter box of a network whose far end is the daemon itself: what was said in a chat of it, as the network writes
-- it. reader is a network id, empty for all in the chat; a newer letter of a slot takes the place of the older one.
CREATE TABLE letter (
    id KEY_COUNTED,
    account BIGINT NOT NULL,
    chat TEXT NOT NULL,
    reader TEXT NOT NULL,
    slot TEXT NOT NULL,
    said TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX letter_chat ON letter (account, chat, id);
CREATE INDEX letter_at ON letter (account, at);

-- Who a browser is, beside the person of its own: by the hash of a secret that the browser keeps, or of a ticket that
-- it may change for one, once. Until then. A browser in another program's window counts once its person has written the
-- code that it shows into a chat; until then its row has the code.
CREATE TABLE login (
    hash TEXT PRIMARY KEY,
    ticket BIGINT NOT NULL,
    account BIGINT NOT NULL,
    network_id TEXT NOT NULL,
    until BIGINT NOT NULL,
    code TEXT NOT NULL DEFAULT ''
) BY_ITS_KEY;
CREATE INDEX login_until ON login (until);

-- A match is kept under its home: the account of its first chat when it was made, 0 if it has none or is older than
-- homes. A chat finds its matches under its own account, with their homes; here is the home of a match by its number.
CREATE TABLE session_home (
    session BIGINT NOT NULL,
    home BIGINT NOT NULL,
    PRIMARY KEY (session)
) BY_ITS_KEY;

-- On a server the account is in the key of each table that may be cut into partitions by it (042_by_account.sql).
ON_SERVER ALTER TABLE outbox DROP CONSTRAINT outbox_pkey, ADD PRIMARY KEY (account, id);
ON_SERVER ALTER TABLE letter DROP CONSTRAINT letter_pkey, ADD PRIMARY KEY (account, id);
ON_SERVER ALTER TABLE session DROP CONSTRAINT session_pkey, ADD PRIMARY KEY (id, account);
ON_SERVER ALTER TABLE record DROP CONSTRAINT record_pkey, ADD PRIMARY KEY (id, account);
ON_SERVER ALTER TABLE session_chat DROP CONSTRAINT session_chat_pkey, ADD PRIMARY KEY (chat, live, session, account);
ON_SERVER ALTER TABLE played DROP CONSTRAINT played_pkey, ADD PRIMARY KEY (id, account);
ON_SERVER ALTER TABLE played DROP CONSTRAINT played_chat_session_seat_key, ADD UNIQUE (chat, session, seat, account);
ON_SERVER DROP INDEX session_due;
ON_SERVER CREATE INDEX session_due ON session (account, due) WHERE due > 0;
IN_PARTS;

-- Behind the cut: an index of a table that is cut keeps its name as a step gives it.
CREATE INDEX played_order ON played (chat, id);
