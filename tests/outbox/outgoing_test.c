/* A message comes out of its bytes as it went in; anything else is refused and nothing is read
 * beyond it. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "outgoing.h"

static struct err err;
static char bytes[OUTGOING_MOST];

static struct button buttons[] = {
    {STR("Accept"), STR("s1.2.3.mac"), BUTTON_TAKE, false},
    {STR("Decline"), STR(""), BUTTON_DANGER, true},
};

static struct outgoing full(void)
{
    static const char text[] = "\x01hand\x07 \xF0\x9F\x8E\xB4";
    return (struct outgoing){.kind = OUT_ANSWER,
                             .where = TO_WHISPER,
                             .chat = STR("-100"),
                             .to = STR("77"),
                             .slot = STR("hand"),
                             .replace_only = true,
                             .notify = true,
                             .alert = true,
                             .press = STR("q9"),
                             .reply_to = STR("12"),
                             .text = {text, sizeof text - 1},
                             .news = {text + 6, 5},
                             .picture = STR("board 1b 1r"),
                             .n_buttons = 2,
                             .buttons = buttons,
                             .expires = 1790000000123,
                             .group = STR("-7"),
                             .group_slot = STR("board:3"),
                             .or_direct = true,
                             .or_aloud = true,
                             .aside = true,
                             .learners = STR("77\n78\n"),
                             .reports = true,
                             .passed_on = true,
                             .aloud = STR("tap My hand"),
                             .match = 4711,
                             .file_name = STR("unk9nreq3d.koikoi"),
                             .file = STR("{\"t\":\"match\"}\n")};
}

static struct str packed(const struct outgoing *out)
{
    struct buf b = BUF(bytes);
    OK(outgoing_encode(out, &b, &err));
    return buf_str(&b);
}

static void same(const struct outgoing *a, const struct outgoing *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->where, b->where);
    assert_true(str_is(a->chat, b->chat) && str_is(a->to, b->to));
    assert_true(str_is(a->slot, b->slot) && str_is(a->press, b->press) &&
                str_is(a->reply_to, b->reply_to));
    assert_true(str_is(a->text, b->text) && str_is(a->picture, b->picture));
    assert_true(str_is(a->news, b->news));
    assert_int_equal(a->match, b->match);
    assert_true(a->replace_only == b->replace_only && a->notify == b->notify &&
                a->alert == b->alert);
    assert_true(str_is(a->group, b->group) && str_is(a->group_slot, b->group_slot) &&
                str_is(a->aloud, b->aloud));
    assert_true(str_is(a->file_name, b->file_name) && str_is(a->file, b->file));
    assert_true(a->or_direct == b->or_direct && a->or_aloud == b->or_aloud);
    assert_true(a->aside == b->aside && a->reports == b->reports);
    assert_true(str_is(a->learners, b->learners) && a->passed_on == b->passed_on);
    assert_int_equal(a->expires, b->expires);
    assert_int_equal(a->n_buttons, b->n_buttons);
    for (int i = 0; i < a->n_buttons; i++) {
        assert_true(str_is(a->buttons[i].label, b->buttons[i].label));
        assert_true(str_is(a->buttons[i].data, b->buttons[i].data));
        assert_int_equal(a->buttons[i].style, b->buttons[i].style);
        assert_int_equal(a->buttons[i].row_end, b->buttons[i].row_end);
    }
}

TEST(decode_returns_what_was_encoded)
{
    struct arena *a = arena_open(1 << 20);
    struct outgoing in = full(), out, empty = {0};
    OK(outgoing_decode(packed(&in), a, &out, &err));
    same(&in, &out);
    OK(outgoing_decode(packed(&empty), a, &out, &err));
    same(&empty, &out);
    arena_close(a);
}

TEST(articles_come_out_as_they_went_in)
{
    struct article articles[] = {
        {STR("I7.1.0.h"), STR("Challenge"), STR("12 rounds"),
         STR("\x01"
             "Ann\x07"),
         STR("Accept")},
        {STR("h1"), STR("Ann to move"), STR(""), STR("Ann looks"), STR("")}};
    struct outgoing in = full(), out;
    struct arena *a = arena_open(1 << 20);
    in.articles = articles;
    in.n_articles = 2;
    OK(outgoing_decode(packed(&in), a, &out, &err));
    same(&in, &out);
    assert_int_equal(out.n_articles, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(str_is(out.articles[i].id, articles[i].id));
        assert_true(str_is(out.articles[i].title, articles[i].title));
        assert_true(str_is(out.articles[i].about, articles[i].about));
        assert_true(str_is(out.articles[i].text, articles[i].text));
        assert_true(str_is(out.articles[i].label, articles[i].label));
    }
    arena_close(a);
}

TEST(truncated_or_extended_bytes_are_refused)
{
    struct arena *a = arena_open(1 << 20);
    struct outgoing in = full(), out = {.row = 42};
    struct str whole = packed(&in);
    for (size_t n = 0; n < whole.n; n++)
        assert_false(outgoing_decode((struct str){whole.p, n}, a, &out, &err));
    bytes[whole.n] = 0;
    assert_false(outgoing_decode((struct str){whole.p, whole.n + 1}, a, &out, &err));
    assert_int_equal(out.row, 42); /* untouched */
    arena_close(a);
}

/* Whatever a changed byte gives, it is refused or it is a message that packs into just these
 * bytes. */
TEST(each_message_has_one_form)
{
    struct arena *a = arena_open(1 << 24);
    struct outgoing in = full(), out;
    static char again[OUTGOING_MOST], changed[1024];
    struct str whole = packed(&in);
    int taken = 0;
    for (size_t i = 0; i < whole.n; i++)
        for (int v = 0; v < 256; v++) {
            memcpy(changed, whole.p, whole.n);
            changed[i] = (char)v;
            if (!outgoing_decode((struct str){changed, whole.n}, a, &out, &err))
                continue;
            struct buf b = BUF(again);
            OK(outgoing_encode(&out, &b, &err));
            assert_int_equal(b.n, whole.n);
            assert_memory_equal(again, changed, whole.n);
            taken++;
        }
    assert_true(taken > 0);
    arena_close(a);
}

/* A message from before there were files. */
TEST(a_row_without_a_file_is_still_read)
{
    static const char row[] = "\x03\x00\x02\x02\x00"
                              "\x02-7\x02"
                              "77\x04hand\x00\x00\x05hello\x00\x00\x00\x00\x00";
    struct arena *a = arena_open(1 << 20);
    struct outgoing out, want = {.where = TO_DIRECT,
                                 .notify = true,
                                 .chat = STR("-7"),
                                 .to = STR("77"),
                                 .slot = STR("hand"),
                                 .text = STR("hello")};
    OK(outgoing_decode((struct str){row, sizeof row - 1}, a, &out, &err));
    same(&want, &out);
    arena_close(a);
}

/* A message that an older program left behind: "hello" to a person called Bo, whose name stood in
 * it. */
TEST(a_row_of_the_former_format_is_still_read)
{
    static const char row[] = "\x02\x00\x02\x02\x00"
                              "\x02-7\x02"
                              "77\x02"
                              "Bo\x04hand\x00\x00\x05hello\x00\x00\x00\x00\x00";
    struct arena *a = arena_open(1 << 20);
    struct outgoing out, want = {.where = TO_DIRECT,
                                 .notify = true,
                                 .chat = STR("-7"),
                                 .to = STR("77"),
                                 .slot = STR("hand"),
                                 .text = STR("hello")};
    OK(outgoing_decode((struct str){row, sizeof row - 1}, a, &out, &err));
    same(&want, &out);
    arena_close(a);
}

TEST(news_is_a_part_of_the_text_that_comes_out)
{
    struct arena *a = arena_open(1 << 20);
    struct outgoing out = full(), back;
    out.text = STR("head\nAnn plays.\nfield");
    out.news = (struct str){out.text.p + 4, 11};
    OK(outgoing_decode(packed(&out), a, &back, &err));
    same(&out, &back);
    assert_true(str_is(back.news, STR("\nAnn plays.")));
    assert_int_equal(back.news.p - back.text.p, 4);
    out.news.n = 0; /* the place where news would stand */
    OK(outgoing_decode(packed(&out), a, &back, &err));
    assert_int_equal(back.news.n, 0);
    assert_int_equal(back.news.p - back.text.p, 4);
    out.news = STR("of another text");
    OK(outgoing_decode(packed(&out), a, &back, &err));
    assert_null(back.news.p);
    arena_close(a);
}

/* Of the format before there was news. */
TEST(a_row_without_news_is_still_read)
{
    static const char row[] = "\x03\x00\x00\x02\x00"
                              "\x02-7\x00\x04hand\x00\x00\x05hello\x00\x00\x00\x00\x00";
    struct arena *a = arena_open(1 << 20);
    struct outgoing out,
        want = {.notify = true, .chat = STR("-7"), .slot = STR("hand"), .text = STR("hello")};
    OK(outgoing_decode((struct str){row, sizeof row - 1}, a, &out, &err));
    same(&want, &out);
    assert_null(out.news.p);
    arena_close(a);
}

TEST(oversized_message_is_an_error)
{
    static char text[OUTGOING_MOST];
    memset(text, 'x', sizeof text);
    struct outgoing out = {.text = {text, sizeof text}};
    struct buf b = BUF(bytes);
    assert_false(outgoing_encode(&out, &b, &err));
}
