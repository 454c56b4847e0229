-- A recount reads the results of a chat in the order in which its matches ended, page by page.
CREATE INDEX played_order ON played (chat, id);
