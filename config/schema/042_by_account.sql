-- Rows that belong to an account are found by it: it stands in the key of each such table on a server, where one is
-- spread over partitions or machines by it, and in each statement that names the table. A file keeps rows by their number.
--
-- ON_SERVER: the rest of the line is for a server alone. IN_PARTS: on a server, tables that have the account in their
-- key are cut into so many partitions by it as its setting koikoi.partitions says (bot/store/db/README.md).
DROP INDEX heard_at;
CREATE INDEX heard_at ON heard (account, at);
DROP INDEX picture_at;
CREATE INDEX picture_at ON picture (account, at);
DROP INDEX letter_at;
CREATE INDEX letter_at ON letter (account, at);
ON_SERVER ALTER TABLE outbox DROP CONSTRAINT outbox_pkey, ADD PRIMARY KEY (account, id);
ON_SERVER ALTER TABLE letter DROP CONSTRAINT letter_pkey, ADD PRIMARY KEY (account, id);
IN_PARTS;
