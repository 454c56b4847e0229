/* Venue: a chat in which a match is played. */
#ifndef KOIKOI_VENUE_H
#define KOIKOI_VENUE_H

#include "player.h"

enum { MAX_VENUES = MAX_PLAYERS }; /* the home, and one for each other player */

struct venue {
    int64_t chat, account; /* in the store */
    char chat_key[CHAT_KEY_SIZE];
    char chat_name[NAME_SIZE];
    char language[LANGUAGE_SIZE]; /* of the chat */
    int32_t utc_offset;           /* of the chat, seconds */
    bool board_picture;           /* of the chat: its boards are pictures */
    bool direct;                  /* private: board and hand are one message */
    bool one_post;                /* the chat is a single message: CAN_ONE_POST */
};

#endif
