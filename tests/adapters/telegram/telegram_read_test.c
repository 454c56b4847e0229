/* Updates of Telegram, and ours that they become. */
#include "adapters/telegram/telegram_exchange.h"

static void a_text_in_a_group(void **state)
{
    struct update u = read_one(
        *state,
        "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA ",\"date\":1700000001,"
        "\"text\":\"/play@KoiKoi_bot 3\",\"entities\":[{\"offset\":0,\"length\":16,"
        "\"type\":\"bot_command\"}]}");
    assert_int_equal(u.kind, UPDATE_TEXT);
    assert_is(u.chat, "-1001234567890");
    assert_is(u.chat_name, "Tea room");
    assert_false(u.direct);
    assert_false(u.admin);
    assert_is(u.from.id, "11");
    assert_is(u.from.name, "Ann Lee");
    assert_is(u.from.handle, "ann");
    assert_is(u.from.language, "pl");
    assert_is(u.text, "/play 3");
    assert_true(u.addressed);
    assert_int_equal(u.when, NOW + 1000);
    assert_is(u.press, "");
    assert_is(u.post, "");
}

static void command_for_another_bot_is_ignored(void **state)
{
    read_none(*state,
              "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA ",\"date\":1700000001,"
              "\"text\":\"/play@uno_bot 3\"}");
}

static void command_the_sender_did_not_write_is_ignored(void **state)
{
    static const char *const marks[] = {
        "\"forward_origin\":{\"type\":\"user\",\"date\":1700000000,\"sender_user\":{\"id\":12,"
        "\"is_bot\":false,\"first_name\":\"Bo\"}}",
        "\"forward_origin\":{\"type\":\"hidden_user\",\"date\":1700000000,"
        "\"sender_user_name\":\"Bo\"}",
        "\"forward_date\":1700000000",
        "\"forward_sender_name\":\"Bo\"",
        "\"is_automatic_forward\":true",
        "\"via_bot\":{\"id\":4711,\"is_bot\":true,\"first_name\":\"Other\"}",
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char message[512];
        snprintf(message, sizeof message,
                 "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                 ",\"date\":1700000001,%s,\"text\":\"/resign\"}",
                 marks[i]);
        read_none(*state, message);
    }
    struct update u = read_one(
        *state, "\"message\":{\"message_id\":6,\"from\":" ANN ",\"chat\":" TEA
                ",\"date\":1700000001,\"is_automatic_forward\":false,\"text\":\"/resign\"}");
    assert_is(u.text, "/resign");
}

static void a_private_chat(void **state)
{
    struct update u = read_one(
        *state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":{\"id\":11,\"type\":"
                "\"private\",\"first_name\":\"Ann\"},\"date\":1700000001,\"text\":\"/start h_7\"}");
    assert_is(u.chat, "11");
    assert_true(u.direct);
    assert_true(u.admin);
    assert_is(u.text, "/start h_7");
}

static void a_topic_is_a_chat_of_its_own(void **state)
{
    struct update u = read_one(
        *state, "\"message\":{\"message_id\":5,\"message_thread_id\":77,\"is_topic_message\":true,"
                "\"from\":" ANN ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/games\"}");
    assert_is(u.chat, "-1001234567890/77");
}

static void reply_thread_is_no_topic(void **state)
{
    struct update u =
        read_one(*state, "\"message\":{\"message_id\":5,\"message_thread_id\":77,\"from\":" ANN
                         ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/games\"}");
    assert_is(u.chat, "-1001234567890");
}

static void mentions_at_utf16_offsets(void **state)
{
    struct update u = read_one(
        *state,
        "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA ",\"date\":1700000001,"
        "\"text\":\"\xf0\x9f\x8e\xb4 \xc5\xbc @bo Kei @KoiKoi_bot\",\"entities\":["
        "{\"offset\":5,\"length\":3,\"type\":\"mention\"},"
        "{\"offset\":9,\"length\":3,\"type\":\"text_mention\",\"user\":{\"id\":13,\"is_bot\":"
        "false,\"first_name\":\"Kei\"}},"
        "{\"offset\":13,\"length\":11,\"type\":\"mention\"},{\"offset\":22,\"length\":500,"
        "\"type\":\"mention\"}]}");
    assert_int_equal(u.n_mentions, 3);
    assert_is(u.mention[0].handle, "bo");
    assert_is(u.mention[0].id, "");
    assert_is(u.mention[0].name, "");
    assert_is(u.mention[1].id, "13");
    assert_is(u.mention[1].name, "Kei");
    assert_false(u.mention[0].bot || u.mention[1].bot);
    assert_true(u.mention[2].bot);
}

/* The apps write the first name of people without a handle, whatever it is; none of it is left. */
static void names_of_people_without_a_handle_leave_the_text(void **state)
{
    static const struct {
        const char *name;
        int units;
    } people[] = {
        {"Bo", 2},
        {"Mary Jane", 9},
        {"Ann.", 4},
        {"Kuro", 4},
        {"3 rounds @kei", 13},
        {"\xc5\xbb\xc3\xb3\xc5\x82w", 4},
        {"\xe8\x8a\xb1 \xe5\xad\x90", 3},
        {"\xf0\x9f\x8e\xb4\xf0\x9f\x8e\xb4", 4},
        {"\xe2\x80\xae\xd7\x93\xd7\x9f", 3},
        {"Wolfeschlegelsteinhausenbergerdorff the Elder of that name", 58},
    };
    struct tg_exchange *tg = *state;
    for (size_t i = 0; i < sizeof people / sizeof *people; i++) {
        struct update u = read_one(
            tg, arena_print(tg->a,
                            "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                            ",\"date\":1700000001,\"text\":\"/challenge %s hard 3\",\"entities\":["
                            "{\"offset\":0,\"length\":10,\"type\":\"bot_command\"},"
                            "{\"offset\":11,\"length\":%d,\"type\":\"text_mention\",\"user\":{"
                            "\"id\":13,\"is_bot\":false,\"first_name\":\"%s\"}}]}",
                            people[i].name, people[i].units, people[i].name)
                    .p);
        assert_int_equal(u.n_mentions, 1);
        assert_is(u.mention[0].id, "13");
        struct str rest = u.text;
        assert_is(str_word(&rest), "/challenge");
        assert_is(str_word(&rest), "hard");
        assert_is(str_word(&rest), "3");
        assert_int_equal(str_word(&rest).n, 0);
    }
}

static void handles_leave_the_text(void **state)
{
    struct update u =
        read_one(*state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                         ",\"date\":1700000001,\"text\":\"/challenge @bo, @kei\",\"entities\":["
                         "{\"offset\":11,\"length\":3,\"type\":\"mention\"},"
                         "{\"offset\":16,\"length\":4,\"type\":\"mention\"}]}");
    assert_int_equal(u.n_mentions, 2);
    assert_is(u.mention[0].handle, "bo");
    assert_is(u.mention[1].handle, "kei");
    assert_is(u.text, "/challenge    ,");
}

/* A name at the start says whom the text is for: "@uno_bot /challenge" is no command of ours. */
static void a_name_at_the_start_stays(void **state)
{
    struct update u =
        read_one(*state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                         ",\"date\":1700000001,\"text\":\"@uno_bot /challenge\",\"entities\":["
                         "{\"offset\":0,\"length\":8,\"type\":\"mention\"}]}");
    assert_is(u.text, "@uno_bot /challenge");
}

/* "@koikoi_bot /challenge @koikoi_bot": first an address, then the opponent. */
static void own_name_addresses_the_bot_or_means_the_computer(void **state)
{
    struct update u = read_one(
        *state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                ",\"date\":1700000001,\"text\":\"@KoiKoi_bot /challenge @bo\",\"entities\":["
                "{\"offset\":0,\"length\":11,\"type\":\"mention\"},"
                "{\"offset\":23,\"length\":3,\"type\":\"mention\"}]}");
    assert_int_equal(u.n_mentions, 1);
    assert_is(u.mention[0].handle, "bo");
    u = read_one(*state,
                 "\"message\":{\"message_id\":6,\"from\":" ANN ",\"chat\":" TEA
                 ",\"date\":1700000001,\"text\":\"/challenge Koi hard\",\"entities\":["
                 "{\"offset\":11,\"length\":3,\"type\":\"text_mention\",\"user\":{\"id\":123456,"
                 "\"is_bot\":true,\"first_name\":\"Koi\"}}]}");
    assert_int_equal(u.n_mentions, 1);
    assert_true(u.mention[0].bot);
    assert_is(u.mention[0].name, "Koi");
}

static void reply_mentions_its_author(void **state)
{
    struct update u =
        read_one(*state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                         ",\"date\":1700000001,"
                         "\"reply_to_message\":{\"message_id\":4,\"from\":{\"id\":12,\"is_"
                         "bot\":false,\"first_name\":\"Bo\"},\"chat\":" TEA
                         ",\"date\":1700000000,\"text\":\"hi\"},\"text\":\"/challenge\"}");
    assert_is(u.post, "4");
    assert_int_equal(u.n_mentions, 1);
    assert_is(u.mention[0].id, "12");
    u = read_one(*state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                         ",\"date\":1700000001,\"reply_to_message\":{\"message_id\":4,\"from\":"
                         "{\"id\":12,\"is_bot\":false,\"first_name\":\"Bo\"},\"chat\":" TEA
                         ",\"date\":1700000000,\"text\":\"hi\"},\"text\":\"/challenge @kei\","
                         "\"entities\":[{\"type\":\"mention\",\"offset\":11,\"length\":4}]}");
    assert_int_equal(u.n_mentions, 1); /* a typed name counts, not the author */
    assert_is(u.mention[0].handle, "kei");
}

static void entities_outside_the_text_are_ignored(void **state)
{
    static const char *const places[] = {
        "\"offset\":-1,\"length\":4",      "\"offset\":0,\"length\":-3",
        "\"offset\":0,\"length\":99",      "\"offset\":99,\"length\":3",
        "\"offset\":9e15,\"length\":9e15", "\"length\":0"};
    struct tg_exchange *tg = *state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct update u = read_one(
            tg, arena_print(tg->a,
                            "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                            ",\"text\":\"@bo hello\",\"entities\":[{\"type\":\"mention\",%s}]}",
                            places[i])
                    .p);
        assert_int_equal(u.n_mentions, 0);
    }
}

static void ephemeral_command_has_a_press_id(void **state)
{
    struct update u =
        read_one(*state, "\"message\":{\"message_id\":0,\"ephemeral_message_id\":345,\"from\":" ANN
                         ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/hand\"}");
    assert_is(u.press, "e345");
    assert_is(u.text, "/hand");
    assert_false(u.addressed);
}

static void sender_posting_as_the_group_is_anonymous(void **state)
{
    struct update u = read_one(
        *state, "\"message\":{\"message_id\":5,\"from\":{\"id\":1087968824,\"is_bot\":true,"
                "\"first_name\":\"Group\",\"username\":\"GroupAnonymousBot\"},\"sender_chat\":" TEA
                ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/settings\"}");
    assert_true(u.from.anonymous);
    assert_true(u.admin);
    u = read_one(*state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"sender_chat\":" TEA
                         ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/hand\"}");
    assert_true(u.from.anonymous); /* whatever account stands for the group */
}

static void names_are_cleaned(void **state)
{
    struct tg_exchange *tg = *state;
    struct update u = read_one(
        tg, "\"message\":{\"message_id\":5,\"from\":{\"id\":14,\"is_bot\":false,\"first_name\":"
            "\"\\u202e<b>x</b>\\u0000\\u0001 "
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"},\"chat\":" TEA
            ",\"date\":1700000001,\"text\":\"x\"}");
    assert_true(u.from.name.n > 0 && u.from.name.n <= 80);
    assert_null(memmem(u.from.name.p, u.from.name.n, "\xe2\x80\xae", 3));
    assert_null(memchr(u.from.name.p, 1, u.from.name.n));
    u = read_one(
        tg, "\"message\":{\"message_id\":5,\"from\":{\"id\":14,\"is_bot\":false,\"first_name\":"
            "\"\\u202e\"},\"chat\":" TEA ",\"date\":1700000001,\"text\":\"x\"}");
    assert_is(u.from.name, "14");
}

static void a_press(void **state)
{
    struct update u =
        read_one(*state, "\"callback_query\":{\"id\":\"4382bfdwdsb323b2d9\",\"from\":" ANN
                         ",\"chat_instance\":"
                         "\"1\",\"message\":{\"message_id\":50,\"chat\":" TEA
                         ",\"date\":1700000000,\"photo\":[{\"file_id\":\"f\"}],"
                         "\"caption\":\"b\"},\"data\":\"k.17.3\"}");
    assert_int_equal(u.kind, UPDATE_PRESS);
    assert_is(u.text, "k.17.3");
    assert_is(u.press, "q4382bfdwdsb323b2d9");
    assert_is(u.post, "50p");
    assert_is(u.chat, "-1001234567890");
    assert_int_equal(u.when, 0);
}

static void press_on_an_ephemeral_message(void **state)
{
    struct update u = read_one(*state, "\"callback_query\":{\"id\":\"9\",\"from\":" ANN
                                       ",\"chat_instance\":\"1\",\"message\":"
                                       "{\"message_id\":0,\"ephemeral_message_id\":29,\"chat\":" TEA
                                       ",\"date\":1700000000,\"text\":\"h\"},\"data\":\"d\"}");
    assert_is(u.post, "e29");
}

static void press_on_an_inaccessible_message(void **state)
{
    struct update u =
        read_one(*state, "\"callback_query\":{\"id\":\"9\",\"from\":" ANN
                         ",\"chat_instance\":\"1\",\"message\":"
                         "{\"message_id\":50,\"chat\":" TEA ",\"date\":0},\"data\":\"d\"}");
    assert_is(u.post, "50");
}

/* Buttons and text of a pressed message are skipped, whatever they hold; members before, between
 * and behind them are read, and so are texts of people that look like them. */
static void keyboards_are_skipped(void **state)
{
    struct update u = read_one(
        *state, "\"callback_query\":{\"id\":\"9\",\"from\":" ANN ",\"message\":{\"message_id\":51,"
                "\"text\":\"\\\"reply_markup\\\":{ and \\\"entities\\\":[ \\\\\","
                "\"entities\":[{\"type\":\"bold\",\"offset\":0,\"length\":[1,\"]\"]}],"
                "\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"}]\\\"{\","
                "\"callback_data\":\"x\"}],[{\"text\":\"b\"}]]},"
                "\"chat\":" TEA "},\"data\":\"k.17.3\"}");
    assert_int_equal(u.kind, UPDATE_PRESS);
    assert_is(u.text, "k.17.3");
    assert_is(u.post, "51");
    assert_is(u.chat, "-1001234567890");
    assert_holds(u.raw, "\"callback_data\":\"x\"");
    u = read_one(
        *state,
        "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
        ",\"date\":1700000001,\"text\":\"\\\"reply_markup\\\":{ @bo \\\"callback_query\\\":\","
        "\"entities\":[{\"offset\":17,\"length\":3,\"type\":\"mention\"}],"
        "\"reply_to_message\":{\"message_id\":4,\"reply_markup\":{\"inline_keyboard\":[]}}}");
    assert_is(u.text, "\"reply_markup\":{     \"callback_query\":");
    assert_is(u.post, "4");
    assert_int_equal(u.n_mentions, 1);
    assert_is(u.mention[0].handle, "bo");
}

#define STANDING(old, new)                                                                         \
    "\"my_chat_member\":{\"chat\":" TEA ",\"from\":" ANN                                           \
    ",\"date\":1700000001,\"old_chat_member\":"                                                    \
    "{\"user\":{\"id\":123456,\"is_bot\":true,\"first_name\":\"K\"},\"status\":\"" old             \
    "\"},\"new_chat_member\":{\"user\":"                                                           \
    "{\"id\":123456,\"is_bot\":true,\"first_name\":\"K\"},\"status\":\"" new "\"}}"

static void own_membership(void **state)
{
    struct tg_exchange *tg = *state;
    assert_int_equal(read_one(tg, STANDING("left", "member")).kind, UPDATE_JOINED);
    assert_int_equal(read_one(tg, STANDING("member", "kicked")).kind, UPDATE_LEFT);
    struct update u = read_one(tg, STANDING("member", "administrator"));
    assert_int_equal(u.kind, UPDATE_RIGHTS);
    assert_is(u.text, "administrator");
    read_none(tg, STANDING("left", "kicked"));
    u = read_one(tg,
                 "\"my_chat_member\":{\"chat\":{\"id\":11,\"type\":\"private\",\"first_name\":"
                 "\"Ann\"},\"from\":" ANN ",\"date\":1700000001,\"old_chat_member\":{\"status\":"
                 "\"member\"},\"new_chat_member\":{\"status\":\"kicked\"}}");
    assert_int_equal(u.kind, UPDATE_BLOCKED);
    assert_is(u.from.id, "11");
    read_none(tg, "\"my_chat_member\":{\"chat\":{\"id\":11,\"type\":\"private\",\"first_name\":"
                  "\"Ann\"},\"from\":" ANN ",\"date\":1700000002,\"old_chat_member\":{\"status\":"
                  "\"kicked\"},\"new_chat_member\":{\"status\":\"member\"}}"); /* unblocked */
}

static void a_group_that_becomes_a_supergroup(void **state)
{
    struct tg_exchange *tg = *state;
    struct update u =
        read_one(tg, "\"message\":{\"message_id\":5,\"from\":" ANN
                     ",\"chat\":{\"id\":-55,\"type\":\"group\","
                     "\"title\":\"T\"},\"date\":1700000001,\"migrate_to_chat_id\":-1001234567890}");
    assert_int_equal(u.kind, UPDATE_MOVED);
    assert_is(u.chat, "-55");
    assert_is(u.text, "-1001234567890");
    u = read_one(tg, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                     ",\"date\":1700000001,"
                     "\"migrate_from_chat_id\":-55}");
    assert_int_equal(u.kind, UPDATE_MOVED);
    assert_is(u.chat, "-55");
    assert_is(u.text, "-1001234567890");
}

/* ---- who may change settings ---- */

static void admin_check_before_settings_commands(void **state)
{
    struct tg_exchange *tg = *state;
    static const struct menu_entry menu[] = {
        {STR(""), STR("settings"), STR("Settings"), false, true, false}};
    static const char read_update[] =
        "{\"ok\":true,\"result\":[{\"update_id\":7,\"message\":{\"message_id\":4,\"from\":" ANN
        ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/"
        "games\"}},{\"update_id\":8,\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
        ",\"date\":1700000001,\"text\":\"/settings@koikoi_bot rounds 3\"}}]}";
    static const char rest[] =
        "{\"ok\":true,\"result\":[{\"update_id\":8,\"message\":{\"message_id\":5,\"from\":" ANN
        ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/settings@koikoi_bot rounds 3\"}}]}";
    T->menu(tg->account, menu, 1);
    poll_request(tg, "7");
    struct batch b = read_batch(tg, read_update);
    assert_int_equal(b.n, 1);
    assert_is(b.cursor, "8");
    struct request r = poll_request(tg, "8");
    assert_holds(r.url, "/getChatMember");
    assert_is(r.body, "{\"chat_id\":-1001234567890,\"user_id\":11}");
    read_batch(tg, "{\"ok\":true,\"result\":{\"status\":\"administrator\",\"user\":{\"id\":11}}}");
    assert_holds(poll_request(tg, "8").body, "{\"offset\":8,\"limit\":100,\"timeout\":0,");
    b = read_batch(tg, rest);
    assert_int_equal(b.n, 1);
    assert_true(b.at[0].admin);
    assert_is(b.cursor, "9");
    while (!str_is((r = poll_request(tg, "8")).what, STR("getUpdates"))) /* the menu is set */
        read_batch(tg, "{\"ok\":true,\"result\":true}");
    struct reply later = reply_of(200, rest); /* five minutes on, the answer has expired */
    struct err err = {""};
    later.now += 300001;
    assert_true(T->read(tg->account, tg->a, &later, &b, &err));
    assert_int_equal(b.n, 0);
    assert_holds(poll_request(tg, "8").url, "/getChatMember");
    read_batch(tg, "{\"ok\":true,\"result\":{\"status\":\"administrator\",\"user\":{\"id\":11}}}");
    poll_request(tg, "8");
    later.now = NOW - 600000; /* nor does a clock that was set back keep it */
    assert_true(T->read(tg->account, tg->a, &later, &b, &err));
    assert_int_equal(b.n, 0);
    assert_holds(poll_request(tg, "8").url, "/getChatMember");
}

/* A text longer than 64 KB is skipped and confirmed; the update behind it is read. */
static void overlong_texts_are_skipped(void **state)
{
    enum { LENGTH = 8 << 20 };
    struct tg_exchange *tg = *state;
    static const size_t lengths[] = {65537, LENGTH};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char *text = arena_alloc(tg->a, lengths[i] + 1);
        memset(text, 'x', lengths[i]);
        poll_request(tg, "7");
        struct batch b = read_batch(
            tg,
            arena_print(tg->a,
                        "{\"ok\":true,\"result\":[{\"update_id\":900,\"message\":{\"message_id\":5,"
                        "\"from\":" ANN ",\"chat\":" TEA ",\"text\":\"%s\"}},"
                        "{\"update_id\":901,\"message\":{\"message_id\":6,\"from\":" ANN
                        ",\"chat\":" TEA ",\"text\":\"/hand\"}}]}",
                        text)
                .p);
        assert_int_equal(b.n, 1);
        assert_is(b.at[0].text, "/hand");
        assert_is(b.cursor, "902");
    }
}

/* Names, data and the raw update are bounded too, so no update fills the memory of a turn. */
static void overlong_members_are_dropped(void **state)
{
    enum { LENGTH = 1 << 20 };
    struct tg_exchange *tg = *state;
    char *text = arena_alloc(tg->a, LENGTH + 1);
    memset(text, 'x', LENGTH);
    struct update u = read_one(
        tg, arena_print(tg->a,
                        "\"message\":{\"message_id\":5,\"from\":{\"id\":11,\"first_name\":\"%s\","
                        "\"username\":\"%s\",\"language_code\":\"%s\"},\"chat\":" TEA
                        ",\"text\":\"/hand\"}",
                        text, text, text)
                .p);
    assert_is(u.text, "/hand");
    assert_true(u.from.name.n + u.from.handle.n + u.from.language.n + u.raw.n <= 4 * 65536);
    assert_true(u.from.name.n > 0);
    read_none(tg, arena_print(tg->a,
                              "\"callback_query\":{\"id\":\"9\",\"from\":" ANN
                              ",\"inline_message_id\":\"a\",\"data\":\"%s\"}",
                              text)
                      .p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(a_text_in_a_group),
        RUNNING(command_for_another_bot_is_ignored),
        RUNNING(command_the_sender_did_not_write_is_ignored),
        RUNNING(a_private_chat),
        RUNNING(a_topic_is_a_chat_of_its_own),
        RUNNING(reply_thread_is_no_topic),
        RUNNING(mentions_at_utf16_offsets),
        RUNNING(names_of_people_without_a_handle_leave_the_text),
        RUNNING(handles_leave_the_text),
        RUNNING(a_name_at_the_start_stays),
        RUNNING(own_name_addresses_the_bot_or_means_the_computer),
        RUNNING(reply_mentions_its_author),
        RUNNING(entities_outside_the_text_are_ignored),
        RUNNING(ephemeral_command_has_a_press_id),
        RUNNING(sender_posting_as_the_group_is_anonymous),
        RUNNING(names_are_cleaned),
        RUNNING(a_press),
        RUNNING(press_on_an_ephemeral_message),
        RUNNING(keyboards_are_skipped),
        RUNNING(press_on_an_inaccessible_message),
        RUNNING(own_membership),
        RUNNING(a_group_that_becomes_a_supergroup),
        RUNNING(admin_check_before_settings_commands),
        RUNNING(overlong_texts_are_skipped),
        RUNNING(overlong_members_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
