/* The network of pages: which programs may frame them, which address they say is theirs; what a
 * letter looks like, and who reads it. */
#include "engine/test.h"

#include "adapters/account.h"

#include <string.h>

extern const struct adapter web_adapter;

/* "" for an account that opens. */
static struct str fault_of(const char *option, struct arena *a)
{
    const char *const options[] = {option, NULL};
    uint32_t can = web_adapter.can;
    struct limits limits = web_adapter.limits;
    struct err err = {""};
    void *account = test_account(a, &web_adapter, options);
    if (web_adapter.open(account, a, &can, &limits, &err))
        web_adapter.close(account);
    return arena_str(a, str_of(err.text));
}

static void holds(const char *const options[], const char *fault)
{
    struct arena *a = arena_open(1 << 20);
    for (; *options; options++) {
        struct str why = fault_of(*options, a);
        if (fault ? !memmem(why.p, why.n, fault, strlen(fault)) : why.n > 0)
            fail_msg("%s: %.*s", *options, STR_ARG(why));
    }
    arena_close(a);
}

TEST(programs_that_may_frame_pages_are_hosts)
{
    holds((const char *const[]){"frames=", "frames=club.example.org",
                                "frames=https://club.example.org", "frames=vector://vector",
                                "frames=https://club.example.org:8443 *.example.org", NULL},
          NULL);
}

/* In a Content-Security-Policy each of them would mean more, or end the policy. */
TEST(programs_that_may_frame_pages_are_no_patterns)
{
    holds((const char *const[]){"frames=*", "frames=https://*", "frames=https:", "frames='self'",
                                "frames=a.example.org;", "frames=*.", "frames=*a.example.org",
                                "frames=a.*.example.org", "frames=://a.example.org",
                                "frames=a.example.org:0", "frames=a.example.org:any",
                                "frames=a.example.org/page", "frames=a.example.org *",
                                "frames=* a.example.org", NULL},
          "[web] frames: expected hosts");
}

TEST(address_of_the_pages_has_no_path)
{
    holds((const char *const[]){"url=", "url=https://play.example.org",
                                "url=https://play.example.org/", "url=http://127.0.0.1:8094", NULL},
          NULL);
    holds((const char *const[]){"url=play.example.org", "url=https://", "url=ftp://example.org",
                                "url=https://example.org/play", "url=https://ann@example.org",
                                "url=https://example.org?x", "url=https://example.org#x", NULL},
          "[web] url: expected");
}

/* ---- letters: README.md of the adapter says what they look like ---- */

static const char *letter_of(struct arena *a, const struct outgoing *out)
{
    struct request r = {.kind = REQUEST_NONE};
    web_adapter.send(NULL, a, out, &r);
    assert_int_equal(r.kind, REQUEST_KEEP);
    return arena_str(a, r.body).p;
}

TEST(letters_are_runs_of_one_style)
{
    static const struct {
        const char *text, *runs;
    } rows[] = {
        {"", "[]"},
        {"plain", "[[\"\",\"plain\"]]"},
        {"\1Ann\7 plays", "[[\"b\",\"Ann\"],[\"\",\" plays\"]]"},
        {"a\1b\2c\7d\7e", "[[\"\",\"a\"],[\"b\",\"b\"],[\"bc\",\"c\"],[\"b\",\"d\"],[\"\",\"e\"]]"},
        {"\3q\7\6t\nu\7\4"
         "17\7",
         "[[\"q\",\"q\"],[\"t\",\"t\\nu\"],[\"w\",\"17\"]]"},
        {"\5id:1\5Ann\7!", "[[\"n\",\"Ann\"],[\"\",\"!\"]]"},
        {"\5id", "[]"},
        {"\10title\nhidden\nmore\7\nopen",
         "[[\"f\",\"title\"],[\"F\",\"\\nhidden\\nmore\"],[\"\",\"\\nopen\"]]"},
        {"\1\10a\nb\7c\7", "[[\"bf\",\"a\"],[\"bF\",\"\\nb\"],[\"b\",\"c\"]]"},
        {"\7a\7\7b\1", "[[\"\",\"a\"],[\"\",\"b\"]]"},
        {"\1\1\1\1\1\1\1\1\2x\7y", "[[\"bbbbbbbb\",\"x\"],[\"bbbbbbbb\",\"y\"]]"},
        {"\1\1\1\1\1\1\1\2x\7y", "[[\"bbbbbbbc\",\"x\"],[\"bbbbbbb\",\"y\"]]"},
        {"<b> \"&\\", "[[\"\",\"<b> \\\"&\\\\\"]]"},
    };
    struct arena *a = arena_open(1 << 20);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct outgoing out = {
            .kind = OUT_POST, .slot = STR("s"), .text = str_of(rows[i].text)};
        const char *want =
            arena_print(a,
                        "{\"slot\":\"s\",\"who\":\"\",\"popup\":false,\"gone\":false,"
                        "\"text\":%s,\"buttons\":[]}",
                        rows[i].runs)
                .p;
        assert_string_equal(letter_of(a, &out), want);
    }
    arena_close(a);
}

TEST(letters_say_what_is_to_be_done_with_them)
{
    static struct button buttons[] = {
        {.label = STR("Go"), .data = STR("a1")},
        {.label = STR("Take"), .data = STR("a2"), .style = BUTTON_TAKE, .row_end = true},
        {.label = STR("Yaku"), .data = STR("a3"), .style = BUTTON_YAKU},
        {.label = STR("Stop"), .data = STR("a4"), .style = BUTTON_DANGER},
        {.label = STR("Link"), .data = STR("a5"), .style = BUTTON_LINK},
        {.label = STR("Page"), .data = STR("a6"), .style = BUTTON_APP},
    };
    static const struct {
        enum out_kind kind;
        const char *popup, *gone, *text;
    } rows[] = {{OUT_POST, "false", "false", "[[\"\",\"x\"]]"},
                {OUT_ANSWER, "true", "false", "[[\"\",\"x\"]]"},
                {OUT_ERASE, "false", "true", "[]"}};
    struct arena *a = arena_open(1 << 20);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct outgoing out = {.kind = rows[i].kind,
                                     .text = STR("x"),
                                     .buttons = buttons,
                                     .n_buttons = sizeof buttons / sizeof *buttons};
        const char *want =
            arena_print(a,
                        "{\"slot\":\"\",\"who\":\"\",\"popup\":%s,\"gone\":%s,\"text\":%s,"
                        "\"buttons\":["
                        "{\"text\":\"Go\",\"press\":\"a1\",\"style\":\"\",\"row\":false},"
                        "{\"text\":\"Take\",\"press\":\"a2\",\"style\":\"take\",\"row\":true},"
                        "{\"text\":\"Yaku\",\"press\":\"a3\",\"style\":\"yaku\",\"row\":false},"
                        "{\"text\":\"Stop\",\"press\":\"a4\",\"style\":\"danger\",\"row\":false}]}",
                        rows[i].popup, rows[i].gone, rows[i].text)
                .p;
        assert_string_equal(letter_of(a, &out), want);
    }
    arena_close(a);
}

/* Where each kind of message goes: to a chat or a private one, to one reader or all, in place of an
 * older one or beside it. */
TEST(letters_go_where_they_are_read)
{
    static const struct {
        struct outgoing out;
        const char *chat, *reader, *slot;
    } rows[] = {
        {{.kind = OUT_POST, .chat = STR("r.1"), .slot = STR("s"), .text = STR("x")},
         "r.1",
         "",
         "s"},
        {{.kind = OUT_POST, .chat = STR("r.1"), .slot = STR("s"), .aside = true}, "r.1", "", ""},
        {{.kind = OUT_POST, .chat = STR("r.1"), .slot = STR("s"), .named = true}, "r.1", "", ""},
        {{.kind = OUT_POST, .where = TO_DIRECT, .chat = STR("r.1"), .to = STR("me")},
         "p.me",
         "",
         ""},
        {{.kind = OUT_POST, .to = STR("me")}, "p.me", "", ""},
        {{.kind = OUT_POST, .where = TO_WHISPER, .chat = STR("r.1"), .to = STR("me")},
         "r.1",
         "me",
         ""},
        {{.kind = OUT_ANSWER, .chat = STR("r.1"), .to = STR("me"), .text = STR("x")},
         "r.1",
         "me",
         ""},
        {{.kind = OUT_ANSWER, .chat = STR("r.1"), .to = STR("me")}, NULL, NULL, NULL},
        {{.kind = OUT_CLOSE, .chat = STR("r.1"), .text = STR("x")}, NULL, NULL, NULL},
    };
    struct arena *a = arena_open(1 << 20);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct request r = {.kind = REQUEST_NONE};
        struct receipt said = {.kind = LATER};
        web_adapter.send(NULL, a, &rows[i].out, &r);
        assert_int_equal(r.kind, rows[i].chat ? REQUEST_KEEP : REQUEST_DONE);
        if (rows[i].chat) {
            assert_string_equal(arena_str(a, r.letter.chat).p, rows[i].chat);
            assert_string_equal(arena_str(a, r.letter.reader).p, rows[i].reader);
            assert_string_equal(arena_str(a, r.letter.slot).p, rows[i].slot);
        }
        web_adapter.receipt(NULL, a, &rows[i].out, &(struct reply){.status = 200}, &said);
        bool direct = rows[i].out.where == TO_DIRECT;
        assert_int_equal(said.kind, SENT);
        assert_int_equal(said.post.n > 0, rows[i].out.kind == OUT_POST);
        assert_string_equal(arena_str(a, said.direct_chat).p, direct ? "p.me" : "");
    }
    arena_close(a);
}
