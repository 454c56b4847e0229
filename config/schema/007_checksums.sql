-- Checksums of rows that no match can do without (bot/store/sum.h). 1 stands for a row from before there were any:
-- written out, since 0 is what a zeroed page reads as.
ALTER TABLE session ADD COLUMN sum BIGINT NOT NULL DEFAULT 0;
ALTER TABLE record ADD COLUMN sum BIGINT NOT NULL DEFAULT 0;
ALTER TABLE meta ADD COLUMN sum BIGINT NOT NULL DEFAULT 0;
UPDATE session SET sum = 1;
UPDATE record SET sum = 1;
UPDATE meta SET sum = 1;
