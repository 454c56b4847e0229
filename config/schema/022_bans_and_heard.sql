-- Network ids of people who are banned, and since when: a ban holds for the id on every account of the network
-- ("telegram." of the accounts telegram and telegram.second), and stays when the person is forgotten. The mark in the row
-- of each of their handles follows from it.
CREATE TABLE ban (
    network TEXT NOT NULL,
    network_id TEXT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (network, network_id)
) BY_ITS_KEY;
UPDATE person SET banned = (SELECT MAX(o.banned) FROM person AS o WHERE o.id = person.owner)
    WHERE owner IN (SELECT id FROM person WHERE banned > 0);
INSERT INTO ban (network, network_id, since)
    SELECT CASE WHEN a.name LIKE '%.%' THEN rtrim(a.name, 'abcdefghijklmnopqrstuvwxyz0123456789') ELSE a.name || '.' END,
        p.network_id, MIN(p.banned)
    FROM person AS p JOIN account AS a ON a.id = p.account WHERE p.banned > 0 AND p.network_id IS NOT NULL
    GROUP BY 1, 2;
UPDATE person SET banned = (SELECT MIN(since) FROM ban WHERE ban.network_id = person.network_id)
    WHERE banned = 0 AND EXISTS (SELECT 1 FROM ban JOIN account AS a ON ban.network =
        CASE WHEN a.name LIKE '%.%' THEN rtrim(a.name, 'abcdefghijklmnopqrstuvwxyz0123456789') ELSE a.name || '.' END
        WHERE a.id = person.account AND ban.network_id = person.network_id);

-- Updates that were heard: what arrives twice is taken once. An id may come again with another content, from a server put
-- back from a backup: what is a sum of the content, 0 for rows from before it was kept, which stand for any.
ALTER TABLE heard RENAME TO heard_before;
CREATE TABLE heard (
    account BIGINT NOT NULL,
    id TEXT NOT NULL,
    what BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (account, id, what)
) BY_ITS_KEY;
INSERT INTO heard (account, id, what, at) SELECT account, id, 0, at FROM heard_before;
DROP TABLE heard_before;
CREATE INDEX heard_at ON heard (at);
