-- When a session ended, so that it can leave after a while if the operator wants that. 0: it is live; 1: it ended before
-- there was this column.
ALTER TABLE session ADD COLUMN ended BIGINT NOT NULL DEFAULT 0;
UPDATE session SET ended = 1 WHERE live = 0;
CREATE INDEX session_ended ON session (ended) WHERE ended > 0;
