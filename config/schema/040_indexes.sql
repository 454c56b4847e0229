-- What is asked for while people wait is found without a walk through all that ever was: what is living, ...
CREATE INDEX session_live ON session (id) WHERE live = 1;
CREATE INDEX session_chat_live ON session_chat (chat, session) WHERE live = 1;
-- ... the chats in which a person has played, ...
CREATE INDEX result_person ON result (person) WHERE season = 'all';
-- ... and what goes with a chat that becomes another.
CREATE INDEX puzzle_answer_chat ON puzzle_answer (chat, day);
CREATE INDEX badge_chat ON badge (chat);
CREATE INDEX joined_chat_chat ON joined_chat (chat);
