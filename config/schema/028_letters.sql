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
CREATE INDEX letter_at ON letter (at);

-- Who a browser is, beside the person of its own: by the hash of a secret that the browser keeps, or of a ticket that
-- it may change for one, once. Until then.
CREATE TABLE login (
    hash TEXT PRIMARY KEY,
    ticket BIGINT NOT NULL,
    account BIGINT NOT NULL,
    network_id TEXT NOT NULL,
    until BIGINT NOT NULL
) BY_ITS_KEY;
CREATE INDEX login_until ON login (until);
