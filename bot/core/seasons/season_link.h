/* Links to seasons of chats, and what they open. The number of one is the chat and season_code(). */
#ifndef KOIKOI_SEASON_LINK_H
#define KOIKOI_SEASON_LINK_H

#include "world.h"

int64_t season_link_no(int64_t chat, const struct season_key *season);
/* Returns false for a number of no season. */
bool season_of_link(int64_t no, int64_t *ret_chat, struct season_key *ret);

struct draft;
struct scene_reader;
struct scene_preview;
struct board_facts;

/* Of the table of notice->seasons: its first line; its picture; rows and honours, as members of a JSON
 * document. */
struct str part_season_head(const struct draft *d);
void part_season_picture(struct draft *d);
void part_season_document(struct draft *d, struct buf *ret);

/* A season's table in a chat of that name, as a document for its page: {"head":"...","rows":[["#",
 * ...], ...],"lines":[...]}, the first row the names of the columns; and its preview. */
struct str scene_season(const struct scene_reader *reader, const struct board_facts *board,
                        struct str chat);
void scene_season_preview(const struct scene_reader *reader, const struct board_facts *board,
                          struct str chat, struct scene_preview *ret);

#endif
