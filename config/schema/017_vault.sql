-- What an account keeps by name, sealed: keys and ratchets of encrypted rooms.
CREATE TABLE vault (
    account BIGINT NOT NULL,
    name TEXT NOT NULL,
    sealed BYTES NOT NULL,
    PRIMARY KEY (account, name)
) BY_ITS_KEY;
