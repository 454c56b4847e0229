/* Mentions: the ping of a player carries their network id and their name, where the network can. */
#include "engine/test.h"
#include "fixture/session_fixture.h"
#include "engine/table.h"

#include "adapter.h"

static struct outgoing ping(uint32_t can)
{
    uint8_t deck[N_CARDS];
    struct session s = session_fixture_match(session_fixture_rules("standard"), 2);
    deck_shuffled(3, deck);
    session_fixture_deal(&s, deck);
    return session_fixture_message(&s, &(struct notice){.kind = NOTICE_PING, .seat = 1}, can,
                                   (struct limits){.text_chars = 4096});
}

TEST(a_ping_mentions_its_player)
{
    struct outgoing out = ping(CAN_EDIT | CAN_DIRECT | CAN_STYLE | CAN_FOLD | CAN_MENTION);
    assert_true(str_starts(out.text, STR("\x05"
                                         "b\x05"
                                         "Bo\x07")));
}

TEST(a_ping_without_mentions_has_the_name_in_bold)
{
    struct outgoing out = ping(CAN_EDIT | CAN_DIRECT | CAN_STYLE | CAN_FOLD);
    assert_true(str_starts(out.text, STR("\x01"
                                         "Bo\x07")));
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
