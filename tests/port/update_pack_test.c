/* An update comes out of its bytes as it went in; anything else is refused. What it mentions. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "update.h"

static struct arena *arena;

FIXTURE(setup)
{
    arena = arena_open(1 << 20);
    return 0;
}

FIXTURE(teardown)
{
    arena_close(arena);
    return 0;
}

static struct update full(void)
{
    return (struct update){
        .kind = UPDATE_PRESS,
        .id = STR("1001"),
        .chat = STR("-100:7"),
        .chat_name = STR("Tea \xF0\x9F\x8D\xB5"),
        .direct = true,
        .reacted = true,
        .from = {STR("77"), STR("Ann"), STR("ann"), STR("pt-BR"), .anonymous = true},
        .text = STR("s1.2.3.mac"),
        .press = STR("q9"),
        .post = STR("12"),
        .part_unknown = true,
        .said = STR("13"),
        .n_mentions = 2,
        .mention = {{.handle = STR("bo")},
                    {.id = STR("5"), .name = STR("Cy"), .bot = true, .self = true}},
        .unnamed = STR("Dora"),
        .n_choices = 1,
        .choice = {{.id = STR("6"), .name = STR("Dora B")}},
        .when = 5,
        .raw = STR("{}")};
}

static void senders_are(const struct sender *a, const struct sender *b)
{
    assert_true(str_is(a->id, b->id) && str_is(a->name, b->name) && str_is(a->handle, b->handle) &&
                str_is(a->language, b->language));
    assert_true(a->bot == b->bot && a->anonymous == b->anonymous && a->self == b->self);
}

TEST_WITH(an_update_comes_out_as_it_went_in, setup, teardown)
{
    struct update in = full(), out;
    assert_true(update_unpack(update_pack(&in, arena), &out));
    assert_int_equal(out.kind, in.kind);
    assert_true(out.direct && !out.admin && !out.addressed && out.reacted);
    assert_true(out.part_unknown);
    assert_true(str_is(out.id, in.id) && str_is(out.chat, in.chat) &&
                str_is(out.chat_name, in.chat_name) && str_is(out.text, in.text) &&
                str_is(out.press, in.press) && str_is(out.post, in.post) &&
                str_is(out.said, in.said) && str_is(out.unnamed, in.unnamed));
    senders_are(&out.from, &in.from);
    assert_int_equal(out.n_mentions, 2);
    senders_are(&out.mention[0], &in.mention[0]);
    senders_are(&out.mention[1], &in.mention[1]);
    assert_int_equal(out.n_choices, 1);
    senders_are(&out.choice[0], &in.choice[0]);
    assert_true(out.when == 0 && out.raw.n == 0);
}

TEST_WITH(a_text_without_end_is_refused, setup, teardown)
{
    struct update in = full(), out;
    struct str whole = update_pack(&in, arena);
    for (size_t n = 0; n < whole.n; n++)
        assert_false(update_unpack((struct str){whole.p, n}, &out));
    char *longer = arena_room(arena, whole.n + 1);
    memcpy(longer, whole.p, whole.n);
    longer[whole.n] = 0;
    assert_false(update_unpack((struct str){longer, whole.n + 1}, &out));
}

TEST_WITH(another_format_is_refused, setup, teardown)
{
    struct update in = full(), out;
    struct str whole = update_pack(&in, arena);
    char *other = arena_room(arena, whole.n);
    memcpy(other, whole.p, whole.n);
    other[0]++;
    assert_false(update_unpack((struct str){other, whole.n}, &out));
    memcpy(other, whole.p, whole.n);
    other[1] = UPDATE_ERASED + 1; /* its kind */
    assert_false(update_unpack((struct str){other, whole.n}, &out));
}

/* Of two things that a server calls by one id, the second is not taken for the first. */
TEST(a_person_is_mentioned_once)
{
    struct update u = {0};
    const struct sender ann = {.id = STR("1"), .name = STR("Ann")},
                        bo = {.id = STR("2"), .name = STR("Bo")}, named = {.handle = STR("cy")};
    update_mention(&u, ann);
    update_mention(&u, bo);
    update_mention(&u, ann);
    assert_int_equal(u.n_mentions, 2);
    update_mention(&u, named); /* a handle alone may be anybody's */
    update_mention(&u, named);
    assert_int_equal(u.n_mentions, 4);
    for (int i = 0; i < MAX_MENTIONS; i++)
        update_mention(&u, named);
    assert_int_equal(u.n_mentions, MAX_MENTIONS);
}

TEST_WITH(any_part_of_the_content_tells_updates_apart, setup, teardown)
{
    struct update in = full(), other[8];
    for (int i = 0; i < 8; i++)
        other[i] = in;
    other[0].kind = UPDATE_TEXT;
    other[1].when++;
    other[2].chat = STR("-100:8");
    other[3].from.id = STR("78");
    other[4].text = STR("s1.2.4.mac");
    other[5].press = STR("q8");
    other[6].post = STR("14");
    other[7].said = STR("14");
    for (int i = 0; i < 8; i++)
        for (int k = 0; k <= i; k++)
            assert_true(update_content(&other[i]) != update_content(k < i ? &other[k] : &in));
    in.raw = STR("{ }"); /* laid out otherwise */
    in.id = STR("1002");
    struct update again = full();
    assert_true(update_content(&in) == update_content(&again) && update_content(&in) != 0);
}
