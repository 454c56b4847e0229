/* Messages as exact calls of the Bot API. */
#include "adapters/telegram/telegram_exchange.h"

static void a_message(void **state)
{
    struct outgoing out = post("pong 7");
    assert_sends(
        *state, out, "sendMessage",
        "{\"chat_id\":-1001234567890,\"text\":\"pong 7\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
    out.notify = false;
    out.chat = STR("-1001234567890/77");
    out.reply_to = STR("41");
    assert_sends(
        *state, out, "sendMessage",
        "{\"chat_id\":-1001234567890,\"message_thread_id\":77,\"reply_parameters\":{\"message_"
        "id\":41,"
        "\"allow_sending_without_reply\":true},\"text\":\"pong "
        "7\",\"parse_mode\":\"HTML\"" NO_PREVIEW ",\"disable_notification\":true}");
}

/* Telegram cannot recognise a repeat, so one that may be a double is silent. */
static void possible_repeat_is_silent(void **state)
{
    struct outgoing out = post("your move");
    out.notify = out.maybe_sent = true;
    assert_sends(
        *state, out, "sendMessage",
        "{\"chat_id\":-1001234567890,\"text\":\"your move\",\"parse_mode\":\"HTML\"" NO_PREVIEW
        ",\"disable_notification\":true}");
    out.maybe_sent = false;
    assert_sends(
        *state, out, "sendMessage",
        "{\"chat_id\":-1001234567890,\"text\":\"your move\",\"parse_mode\":\"HTML\"" NO_PREVIEW
        "}");
}

static void marks_become_html_and_text_is_escaped(void **state)
{
    assert_sends(
        *state,
        post("\001A<b>&\"\007 \003q\007 \006x  y\007 \0051"
             "2\005Bo <3\007 \0041700000000\007"),
        "sendMessage",
        "{\"chat_id\":-1001234567890,\"text\":\"<b>A&lt;b&gt;&amp;&quot;</b> <i>q</i> <pre>x  "
        "y</pre> "
        "<a href=\\\"tg://user?id=12\\\">Bo &lt;3</a> <tg-time unix=\\\"1700000000\\\" "
        "format=\\\"wt\\\">"
        "2023-11-14 22:13 UTC</tg-time> <tg-time unix=\\\"1700000000\\\" "
        "format=\\\"r\\\">⏳</tg-time>\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void a_fold_is_an_expandable_quote(void **state)
{
    assert_sends(
        *state, post("Deal\n\010Proof\nseal \002ab<\007\007"), "sendMessage",
        "{\"chat_id\":-1001234567890,\"text\":\"Deal\\n<blockquote expandable>Proof\\nseal "
        "<code>ab&lt;</code></blockquote>\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void marks_inside_code_and_open_marks(void **state)
{
    assert_sends(*state, post("\002a\001b\007c\007\007 \001open"), "sendMessage",
                 "{\"chat_id\":-1001234567890,\"text\":\"<code>abc</code> "
                 "<b>open</b>\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
    assert_sends(
        *state, post("\005@evil:x\005Eve\007 \004soon\007 \004-5\007!"), "sendMessage",
        "{\"chat_id\":-1001234567890,\"text\":\"Eve  !\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

/* n characters of two UTF-16 units each. */
static struct str cards(struct arena *a, size_t n)
{
    char *p = arena_alloc(a, n * 4);
    for (size_t i = 0; i < n; i++)
        memcpy(p + i * 4, "\xf0\x9f\x8e\xb4", 4);
    return (struct str){p, n * 4};
}

static void a_text_is_cut_at_4096_units(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("");
    out.text = cards(tg->a, 2048);
    struct request r = send_request(tg, &out);
    assert_int_equal(count(r.body, "\xf0\x9f\x8e\xb4"), 2048);
    assert_int_equal(count(r.body, "…"), 0);
    out.text = arena_print(tg->a, "\001%.*s", STR_ARG(cards(tg->a, 2049)));
    r = send_request(tg, &out);
    assert_int_equal(count(r.body, "\xf0\x9f\x8e\xb4"), 2047);
    assert_holds(r.body, "…</b>\"");
}

static void buttons_have_rows_styles_and_links(void **state)
{
    struct button b[] = {{STR("3 sake"), STR("a1"), BUTTON_TAKE, false},
                         {STR("4"), STR("a2"), BUTTON_PLAIN, true},
                         {STR("tsukimi \"5\""), STR("a3"), BUTTON_YAKU, false},
                         {STR("Resign"), STR("a4"), BUTTON_DANGER, true},
                         {STR("Open"), STR("h_7"), BUTTON_LINK, true}};
    struct outgoing out = post("hand");
    out.buttons = b;
    out.n_buttons = 5;
    assert_sends(
        *state, out, "sendMessage",
        "{\"chat_id\":-1001234567890,\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW
        ",\"reply_markup\":"
        "{\"inline_keyboard\":[[{\"text\":\"3 "
        "sake\",\"callback_data\":\"a1\",\"style\":\"success\"},{\"text\":\"4\","
        "\"callback_data\":\"a2\"}],[{\"text\":\"tsukimi "
        "\\\"5\\\"\",\"callback_data\":\"a3\",\"style\":\"primary\"},"
        "{\"text\":\"Resign\",\"callback_data\":\"a4\",\"style\":\"danger\"}],[{\"text\":\"Open\","
        "\"url\":"
        "\"https://t.me/koikoi_bot?start=h_7\"}]]}}");
}

static void a_hand_in_private_leads_back_to_the_board(void **state)
{
    struct button b[] = {{STR("1 crane"), STR("a1"), BUTTON_TAKE, true},
                         {STR("Back"), STR(""), BUTTON_BACK, false}};
    struct outgoing out = {
        .where = TO_DIRECT, .to = STR("77"), .text = STR("hand"), .group_post = STR("41")};
    out.buttons = b;
    out.n_buttons = 2;
    out.group = STR("-1001234567890");
    assert_sends(
        *state, out, "sendMessage",
        "{\"chat_id\":77,\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW
        ",\"disable_notification\":true,\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"1 "
        "crane\","
        "\"callback_data\":\"a1\",\"style\":\"success\"}],[{\"text\":\"Back\","
        "\"url\":\"https://t.me/c/1234567890/41\"}]]}}");
    out.group = STR("-1001234567890/7");
    struct request r = send_request(*state, &out);
    assert_holds(r.body, "\"https://t.me/c/1234567890/7/41\"");
    out.group = STR("-55"); /* messages of a basic group have no link */
    r = send_request(*state, &out);
    assert_int_equal(count(r.body, "Back"), 0);
    assert_holds(r.body, "}]]}}");
}

static void a_button_adds_the_bot_to_a_group(void **state)
{
    struct button b = {STR("Add me"), STR(""), BUTTON_ADD, true};
    struct outgoing out = post("x");
    out.buttons = &b;
    out.n_buttons = 1;
    struct request r = send_request(*state, &out);
    assert_holds(r.body, "\"text\":\"Add me\",\"url\":\"https://t.me/koikoi_bot?startgroup\"");
}

static void a_link_waits_for_our_name(void **state)
{
    struct tg_exchange *tg = *state;
    struct button b = {STR("Open"), STR("h_7"), BUTTON_LINK, true};
    struct outgoing out = post("x");
    struct receipt ret;
    struct reply none_yet = {.retry_after_ms = -1};
    out.buttons = &b;
    out.n_buttons = 1;
    assert_int_equal(send_request(tg, &out).kind, REQUEST_NONE);
    T->receipt(tg->account, tg->a, &out, &none_yet, &ret);
    assert_int_equal(ret.kind, LATER);
}

static void an_edit(void **state)
{
    struct outgoing out = post("board");
    out.post = STR("41");
    assert_sends(*state, out, "editMessageText",
                 "{\"chat_id\":-1001234567890,\"message_id\":41,\"text\":\"board\","
                 "\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void erasing(void **state)
{
    struct outgoing out = {.kind = OUT_ERASE, .chat = STR("-5"), .post = STR("41p")};
    assert_sends(*state, out, "deleteMessage", "{\"chat_id\":-5,\"message_id\":41}");
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.post = STR("e29");
    assert_sends(*state, out, "deleteEphemeralMessage",
                 "{\"chat_id\":-5,\"receiver_user_id\":11,\"ephemeral_message_id\":29}");
}

/* Without reply_markup an edit takes the buttons away; text and picture stay. */
static void closing_buttons(void **state)
{
    struct outgoing out = {.kind = OUT_CLOSE, .chat = STR("-5"), .post = STR("41p")};
    assert_sends(*state, out, "editMessageReplyMarkup", "{\"chat_id\":-5,\"message_id\":41}");
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.post = STR("e29");
    assert_sends(*state, out, "editEphemeralMessageReplyMarkup",
                 "{\"chat_id\":-5,\"receiver_user_id\":11,\"ephemeral_message_id\":29}");
}

static void a_whisper(void **state)
{
    struct outgoing out = post("hand");
    confirm_ephemeral(*state);
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.press = STR("q9");
    assert_sends(
        *state, out, "sendMessage",
        "{\"chat_id\":-1001234567890,\"ephemeral_message_parameters\":{\"receiver_user_id\":11,"
        "\"callback_query_id\":"
        "\"9\"},\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
    out.press = STR("e345");
    assert_sends(
        *state, out, "sendMessage",
        "{\"chat_id\":-1001234567890,\"ephemeral_message_parameters\":{\"receiver_user_id\":11},"
        "\"reply_parameters\":"
        "{\"ephemeral_message_id\":345},\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
    out.post = STR("e29");
    assert_sends(
        *state, out, "editEphemeralMessageText",
        "{\"chat_id\":-1001234567890,\"receiver_user_id\":11,\"ephemeral_message_id\":29,\"text\":"
        "\"hand\","
        "\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void impersonal_accounts_get_visible_answers(void **state)
{
    struct outgoing out = post("You are anonymous.");
    out.where = TO_WHISPER;
    out.to = STR("1087968824");
    assert_sends(*state, out, "sendMessage",
                 "{\"chat_id\":-1001234567890,\"text\":\"You are "
                 "anonymous.\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void in_a_private_chat_a_whisper_is_a_message(void **state)
{
    struct outgoing out = post("hand");
    out.where = TO_WHISPER;
    out.chat = out.to = STR("11");
    assert_sends(*state, out, "sendMessage",
                 "{\"chat_id\":11,\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void a_direct_message_goes_to_the_persons_number(void **state)
{
    struct outgoing out = post("hand");
    out.where = TO_DIRECT;
    out.chat = STR("");
    out.to = STR("11");
    assert_sends(*state, out, "sendMessage",
                 "{\"chat_id\":11,\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void answers_to_presses(void **state)
{
    struct outgoing out = {.kind = OUT_ANSWER,
                           .to = STR("11"),
                           .press = STR("q9"),
                           .text = STR("\001Old <board>\007")};
    assert_sends(*state, out, "answerCallbackQuery",
                 "{\"callback_query_id\":\"9\",\"text\":\"Old <board>\"}");
    out.alert = true;
    out.text = STR("");
    assert_sends(*state, out, "answerCallbackQuery",
                 "{\"callback_query_id\":\"9\",\"show_alert\":true}");
    out.text = cards(((struct tg_exchange *)*state)->a, 150);
    assert_int_equal(count(send_request(*state, &out).body, "\xf0\x9f\x8e\xb4"), 99);
}

static void answer_to_an_ephemeral_command_is_ephemeral(void **state)
{
    struct outgoing out = {.kind = OUT_ANSWER,
                           .chat = STR("-5"),
                           .to = STR("11"),
                           .press = STR("e345"),
                           .text = STR("No match here.")};
    confirm_ephemeral(*state);
    assert_sends(
        *state, out, "sendMessage",
        "{\"chat_id\":-5,\"ephemeral_message_parameters\":{\"receiver_user_id\":11},\"reply_"
        "parameters\":"
        "{\"ephemeral_message_id\":345},\"text\":\"No match "
        "here.\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void picture_is_uploaded_once(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("board");
    out.picture = STR("table 1");
    out.picture_bytes = STR("\x89PNG...");
    struct request r = send_request(tg, &out);
    assert_is(r.what, "sendPhoto");
    assert_int_equal(r.n_parts, 5);
    assert_part(r.parts[0], "chat_id", "-1001234567890");
    assert_part(r.parts[1], "photo", "attach://picture");
    assert_part(r.parts[2], "caption", "board");
    assert_part(r.parts[3], "parse_mode", "HTML");
    assert_part(r.parts[4], "picture", "\x89PNG...");
    assert_is(r.parts[4].file, "picture.png");
    assert_is(r.parts[4].type, "image/png");
    out.picture_file = STR("AgAC");
    assert_sends(
        tg, out, "sendPhoto",
        "{\"chat_id\":-1001234567890,\"photo\":\"AgAC\",\"caption\":\"board\",\"parse_mode\":"
        "\"HTML\"}");
    out.post = STR("41p");
    assert_sends(
        tg, out, "editMessageMedia",
        "{\"chat_id\":-1001234567890,\"message_id\":41,\"media\":{\"type\":\"photo\",\"media\":"
        "\"AgAC\",\"caption\":"
        "\"board\",\"parse_mode\":\"HTML\"}}");
    out.picture_file = STR("");
    r = send_request(tg, &out);
    assert_is(r.what, "editMessageMedia");
    assert_part(r.parts[2], "media",
                "{\"type\":\"photo\",\"media\":\"attach://picture\",\"caption\":\"board\","
                "\"parse_mode\":\"HTML\"}");
}

static void a_file_is_a_document(void **state)
{
    struct tg_exchange *tg = *state;
    struct button open = {STR("Open"), STR("o_1"), BUTTON_LINK, true};
    struct outgoing out = post("The record");
    out.where = TO_DIRECT;
    out.chat = STR("");
    out.to = STR("77");
    out.file_name = STR("unk9nreq3d.koikoi");
    out.file = STR("{\"t\":\"match\"}\n");
    out.buttons = &open; /* for the line in the group if this is refused */
    out.n_buttons = 1;
    struct request r = send_request(tg, &out);
    assert_is(r.what, "sendDocument");
    assert_int_equal(r.n_parts, 4);
    assert_part(r.parts[0], "chat_id", "77");
    assert_part(r.parts[1], "caption", "The record");
    assert_part(r.parts[2], "parse_mode", "HTML");
    assert_part(r.parts[3], "document", "{\"t\":\"match\"}\n");
    assert_is(r.parts[3].file, "unk9nreq3d.koikoi");
    assert_is(r.parts[3].type, "application/octet-stream");
}

static void a_text_stays_a_text(void **state)
{
    struct outgoing out = post("board");
    out.post = STR("41");
    out.picture_file = STR("AgAC");
    assert_sends(*state, out, "editMessageText",
                 "{\"chat_id\":-1001234567890,\"message_id\":41,\"text\":\"board\",\"parse_mode\":"
                 "\"HTML\"" NO_PREVIEW "}");
}

/* The limit is 1024 UTF-16 units as shown: a mark counts none, 🎴 counts two. */
static void text_longer_than_a_caption_goes_alone(void **state)
{
    struct tg_exchange *tg = *state;
    static char text[2 * 1024 + 8];
    struct outgoing out = post(text);
    out.picture_file = STR("AgAC");
    memset(text, 'x', 1022);
    memcpy(text, "\001xx\007", 4);
    memcpy(text + 1022, "🎴", 5);
    out.text = str_of(text);
    assert_is(send_request(tg, &out).what, "sendPhoto"); /* 1020 letters, the pair */
    memset(text, 'x', 1023);
    memcpy(text + 1023, "🎴", 5);
    out.text = str_of(text);
    assert_is(send_request(tg, &out).what, "sendMessage");
    out.post = STR("40p");
    assert_is(send_request(tg, &out).what, "deleteMessage");
}

static void private_picture_is_protected(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("hand");
    out.where = TO_DIRECT;
    out.to = STR("11");
    out.picture_file = STR("AgAC");
    assert_sends(tg, out, "sendPhoto",
                 "{\"chat_id\":11,\"photo\":\"AgAC\",\"protect_content\":true,\"caption\":\"hand\","
                 "\"parse_mode\":\"HTML\"}");
}

static void pictures_option(void **state)
{
    struct tg_exchange *tg = *state;
    static const char *const values[] = {"yes", "no"};
    for (int no = 0; no < 2; no++) {
        uint32_t can = T->can;
        struct err err;
        tg_exchange_set(tg, "pictures", values[no]);
        assert_true(T->open(tg->account, tg->a, &can, &tg->limits, &err));
        assert_int_equal(can & CAN_PICTURE, no ? 0 : CAN_PICTURE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(a_message),
        RUNNING(possible_repeat_is_silent),
        RUNNING(marks_become_html_and_text_is_escaped),
        RUNNING(a_fold_is_an_expandable_quote),
        RUNNING(marks_inside_code_and_open_marks),
        RUNNING(a_text_is_cut_at_4096_units),
        RUNNING(buttons_have_rows_styles_and_links),
        RUNNING(a_button_adds_the_bot_to_a_group),
        START(a_hand_in_private_leads_back_to_the_board),
        START(a_link_waits_for_our_name),
        RUNNING(an_edit),
        RUNNING(erasing),
        RUNNING(closing_buttons),
        RUNNING(a_whisper),
        RUNNING(impersonal_accounts_get_visible_answers),
        RUNNING(in_a_private_chat_a_whisper_is_a_message),
        RUNNING(a_direct_message_goes_to_the_persons_number),
        RUNNING(answers_to_presses),
        RUNNING(answer_to_an_ephemeral_command_is_ephemeral),
        RUNNING(picture_is_uploaded_once),
        RUNNING(a_file_is_a_document),
        RUNNING(a_text_stays_a_text),
        RUNNING(text_longer_than_a_caption_goes_alone),
        RUNNING(private_picture_is_protected),
        RUNNING(pictures_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
