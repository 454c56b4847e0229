-- Tournaments that are over or cancelled leave after a while if the operator wants that. Their `ends` is when they
-- ended; of those that ended before this step, when their last round was to end.
CREATE INDEX tournament_ended ON tournament (ends) WHERE stage > 1;
