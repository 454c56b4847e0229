-- Whose private chat is this? Asked when a chat moves, and there may be millions of people.
CREATE INDEX person_direct ON person (account, direct_chat) WHERE direct_chat <> '';
