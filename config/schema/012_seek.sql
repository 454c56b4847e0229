-- Searches for an opponent that wait: challenges that people of other chats may meet. points is the rating over
-- all chats. An empty rules or clock means any.
CREATE TABLE seek (
    session BIGINT PRIMARY KEY,
    person BIGINT NOT NULL,
    points BIGINT NOT NULL,
    at BIGINT NOT NULL,
    rules TEXT NOT NULL,
    clock TEXT NOT NULL
);

-- People who want to read of somebody who looks for a game: in one chat, or anywhere (chat 0). at: when they last
-- read of one.
CREATE TABLE watch (
    person BIGINT NOT NULL,
    chat BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, chat)
) BY_ITS_KEY;
CREATE INDEX watch_chat ON watch (chat, at);
