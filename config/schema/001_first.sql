-- The first shape of the store. Files of this folder are applied in order, once each, and never edited
-- afterwards: a change is a new file with the next number.
--
-- Two words stand for what databases call differently: KEY_COUNTED (an integer primary key that the
-- database counts up and never gives out twice) and BYTES (a column of any bytes). All times are unix
-- milliseconds.

CREATE TABLE account (
    id KEY_COUNTED,
    name TEXT NOT NULL UNIQUE,
    cursor TEXT NOT NULL DEFAULT ''
);

-- Updates that were heard: what arrives twice is taken once.
CREATE TABLE heard (
    account BIGINT NOT NULL,
    id TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (account, id)
);
CREATE INDEX heard_at ON heard (at);

-- network_id is NULL for somebody who was named by handle and has not spoken yet. handle_key is the
-- handle in lower case.
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
    UNIQUE (account, network_id)
);
CREATE INDEX person_handle ON person (account, handle_key) WHERE handle_key <> '';

CREATE TABLE chat (
    id KEY_COUNTED,
    account BIGINT NOT NULL,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    direct BIGINT NOT NULL,
    settings TEXT NOT NULL DEFAULT '',
    UNIQUE (account, key)
);

-- people and chats are lists of ids, for reading; while the session is live they are also rows of the
-- two tables below, for finding.
CREATE TABLE session (
    id KEY_COUNTED,
    version BIGINT NOT NULL,
    due BIGINT NOT NULL,
    live BIGINT NOT NULL,
    people TEXT NOT NULL,
    chats TEXT NOT NULL,
    line TEXT NOT NULL
);
CREATE INDEX session_due ON session (due) WHERE due > 0;
CREATE TABLE session_person (
    person BIGINT NOT NULL,
    session BIGINT NOT NULL,
    PRIMARY KEY (person, session)
);
-- Ended sessions stay here, not live, so that the last one of a chat can be found.
CREATE TABLE session_chat (
    chat BIGINT NOT NULL,
    live BIGINT NOT NULL,
    session BIGINT NOT NULL,
    PRIMARY KEY (chat, live, session)
);

-- The record of a match, in pieces of whole lines.
CREATE TABLE record (
    id KEY_COUNTED,
    session BIGINT NOT NULL,
    lines TEXT NOT NULL
);
CREATE INDEX record_session ON record (session, id);

CREATE TABLE result (
    chat BIGINT NOT NULL,
    season TEXT NOT NULL,
    person BIGINT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    points BIGINT NOT NULL,
    PRIMARY KEY (chat, season, person)
);

-- What is still to be said. A row leaves when the network has taken it or it has become worthless.
CREATE TABLE outbox (
    id KEY_COUNTED,
    account BIGINT NOT NULL,
    lane TEXT NOT NULL,
    slot TEXT NOT NULL,
    flown BIGINT NOT NULL,
    not_before BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    progress TEXT NOT NULL,
    said BYTES NOT NULL
);
CREATE INDEX outbox_lane ON outbox (account, lane, id);

-- Where the message of a slot stands on the network, for later edits.
CREATE TABLE post (
    account BIGINT NOT NULL,
    place TEXT NOT NULL,
    slot TEXT NOT NULL,
    post TEXT NOT NULL,
    PRIMARY KEY (account, place, slot)
);

-- A network's own ids of pictures that were sent before.
CREATE TABLE picture (
    account BIGINT NOT NULL,
    hash TEXT NOT NULL,
    file TEXT NOT NULL,
    PRIMARY KEY (account, hash)
);

-- Updates that could not be taken, for whoever looks into it.
CREATE TABLE quarantine (
    id KEY_COUNTED,
    account BIGINT NOT NULL,
    at BIGINT NOT NULL,
    raw BYTES NOT NULL,
    why TEXT NOT NULL
);

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
