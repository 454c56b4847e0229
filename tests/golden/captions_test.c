/* Captions: what people read of a picture before they see it. On Matrix it is the body of the
 * event; of a picture above a poll that is what a lock screen shows. The story of all kinds of
 * pictures is played in each language. A caption has words of its language alone, says whose move it is, which
 * round and who has won, and names no card that its reader may not see.
 */
#include "adapters/account.h"
#include "engine/stride.h"
#include "engine/test.h"
#include "fixture/scratch.h"
#include "golden/chat_input.h"

#include <ctype.h>

#include "file.h"
#include "json.h"
#include "layout.h"
#include "texts.h"

static const char *const languages[] = {"en", "de", "es", "fr", "ja", "pl", "pt", "ru", "zh"};
enum { LANGUAGES = sizeof languages / sizeof *languages, STORY = 16 * 1024 };

/* ---- words of a catalogue ---- */

enum { MOST_WORDS = 16 * 1024 };
struct vocabulary {
    int n;
    struct str word[MOST_WORDS];
};
static struct arena *kept;
static struct languages catalogues;
static struct vocabulary vocabulary[LANGUAGES];

enum alphabet { NO_LETTER, LATIN, OTHER };

/* Of the character that the words begin with, and its bytes. Folded words have no wide signs. */
static enum alphabet alphabet_of(struct str words, size_t *ret_bytes)
{
    unsigned first = (unsigned char)words.p[0];
    *ret_bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0x80)
        return isalpha((int)first) ? LATIN : NO_LETTER;
    if (first < 0xc3 || str_starts(words, STR("×")))
        return NO_LETTER;
    if (first < 0xca) /* up to U+024F */
        return LATIN;
    return first == 0xe2 || first >= 0xef || str_starts(words, STR("、")) ||
                   (first == 0xe3 && words.n > 1 && (unsigned char)words.p[1] == 0x80)
               ? NO_LETTER
               : OTHER;
}

/* A run of letters of one alphabet; of Japanese and Chinese that is several words. */
static struct str next_word(struct str *words, enum alphabet *ret)
{
    size_t n = 0, bytes;
    while (words->n > 0 && alphabet_of(*words, &bytes) == NO_LETTER)
        *words = str_skip(*words, bytes);
    struct str word = *words;
    *ret = word.n > 0 ? alphabet_of(word, &bytes) : NO_LETTER;
    while (n < word.n && alphabet_of(str_skip(word, n), &bytes) == *ret)
        n += bytes;
    word.n = n;
    *words = str_skip(*words, n);
    return word;
}

static int compare(const void *a, const void *b)
{
    const struct str *l = a, *r = b;
    int by = memcmp(l->p, r->p, l->n < r->n ? l->n : r->n);
    return by ? by : (l->n > r->n) - (l->n < r->n);
}

static bool has(const struct vocabulary *v, struct str word)
{
    return bsearch(&word, v->word, (size_t)v->n, sizeof word, compare) != NULL;
}

/* The words of all strings, without what stands in braces. */
static void collect(struct vocabulary *v, struct json from)
{
    if (json_kind(from) == JSON_STRING) {
        struct str rest = text_fold(kept, json_str(from, NULL)), hole;
        while (rest.n > 0) {
            struct str part = str_cut(rest, '{', &hole);
            enum alphabet letters;
            for (struct str w = next_word(&part, &letters); w.n > 0;
                 w = next_word(&part, &letters)) {
                assert_true(v->n < MOST_WORDS);
                v->word[v->n++] = w;
            }
            (void)str_cut(hole, '}', &rest);
        }
    }
    for (struct json v2 = json_first(from); v2.at; v2 = json_next(v2))
        collect(v, v2);
}

/* ---- a caption ---- */

static const char *const people[] = {"Alice", "Bob", "Carol", "Dora"};
enum { PEOPLE = sizeof people / sizeof *people };

static int faults, secrets;
static unsigned seen;       /* bit n: rows of the kind n */
static const char *playing; /* "ja on matrix" */

static void fault(const char *what, struct str word, struct str caption, struct str picture)
{
    faults++;
    print_error("%s: %s \"%.*s\" in\n%.*s\nof\n%.*s\n\n", playing, what, STR_ARG(word),
                STR_ARG(caption), (int)(picture.n < 300 ? picture.n : 300), picture.p);
}

static bool is_name(struct arena *a, struct str word)
{
    bool is = str_is(word, STR("tea"));
    for (size_t i = 0; i < PEOPLE; i++)
        is |= str_is(word, text_fold(a, str_of(people[i])));
    return is;
}

/* Without codes, which are words of no language. */
static struct str without_codes(struct arena *a, struct str text)
{
    struct buf b = {arena_room(a, text.n + 1), 0, text.n + 1, false};
    while (text.n > 0) {
        struct str code, part = str_cut(text, MARK_CODE, &code);
        buf_put(&b, part);
        (void)str_cut(code, MARK_END, &text);
    }
    return buf_str(&b);
}

static const char *const ends_twice[] = {"。.", "。。", "!.", "?.", ":.", "…."};

/* Where an app makes a link of a command, that is in English: "/challenge". */
static void check_language(struct arena *a, int language, struct str caption, struct str picture)
{
    struct str rest = caption;
    bool own = language == 0;
    for (size_t i = 0; i < sizeof ends_twice / sizeof *ends_twice; i++)
        if (memmem(caption.p, caption.n, ends_twice[i], strlen(ends_twice[i])))
            fault("two ends of a sentence:", str_of(ends_twice[i]), caption, picture);
    enum alphabet letters;
    for (struct str w = next_word(&rest, &letters); w.n > 0; w = next_word(&rest, &letters)) {
        bool known = has(&vocabulary[language], w), latin = letters == LATIN,
             command = w.p > caption.p && w.p[-1] == '/';
        own |= !latin || (known && !has(&vocabulary[0], w));
        if (latin && !known && !command && !is_name(a, w))
            fault(has(&vocabulary[0], w) ? "English" : "no word of the language", w, caption,
                  picture);
    }
    if (!own || caption.n == 0)
        fault("no words", STR(""), caption, picture);
}

/* ---- on Matrix: the body of the event ---- */

extern const struct adapter matrix_adapter;
static void *matrix;
static struct str cursor;

#define STATE                                                                                      \
    "{\"state\":{\"events\":[{\"type\":\"m.room.member\",\"state_key\":\"@ann:hs\","               \
    "\"sender\":\"@ann:hs\",\"content\":{\"membership\":\"join\"}}]}}"

/* What a homeserver answers that knows Ann, her private chat !ann:hs and the room !tea:hs. */
static struct reply answer_to(const struct request *r)
{
    static const struct {
        const char *part, *body;
    } answers[] = {
        {"/account/whoami", "{\"user_id\":\"@koi:hs\",\"device_id\":\"D\"}"},
        {"/account_data/m.direct", "{\"@ann:hs\":[\"!ann:hs\"]}"},
        {"/sync?", "{\"next_batch\":\"s1\",\"rooms\":{\"join\":{\"!ann:hs\":" STATE
                   ",\"!tea:hs\":" STATE "}}}"},
        {"/members", "{\"chunk\":[{\"type\":\"m.room.member\",\"state_key\":\"@koi:hs\","
                     "\"content\":{\"membership\":\"join\"}},{\"type\":\"m.room.member\","
                     "\"state_key\":\"@ann:hs\",\"content\":{\"membership\":\"join\"}}]}"},
        {"", "{\"event_id\":\"$event\"}"},
    };
    size_t i = 0;
    while (!memmem(r->url.p, r->url.n, answers[i].part, strlen(answers[i].part)))
        i++;
    return (struct reply){
        .status = 200, .body = str_of(answers[i].body), .retry_after_ms = -1, .now = 1790856000000};
}

static void open_matrix(void)
{
    static const char *const options[] = {"homeserver=https://hs", "token=t", NULL};
    enum { POLLS = 3 };
    struct err err;
    matrix = test_account_open(kept, &matrix_adapter, options);
    for (int i = 0; i < POLLS; i++) {
        struct request r = {0};
        struct batch batch;
        matrix_adapter.poll(matrix, kept, cursor, &r);
        struct reply reply = answer_to(&r);
        OK(matrix_adapter.read(matrix, kept, &reply, &batch, &err));
        cursor = arena_str(kept, batch.cursor);
    }
}

/* The body of the event with the picture; above a poll it is what a lock screen shows. */
static struct str body_of(struct arena *a, const struct outgoing *o, bool direct)
{
    enum { STEPS = 8 };
    struct outgoing out = *o;
    out.chat = direct ? STR("!ann:hs") : STR("!tea:hs");
    out.to = out.to.n > 0 ? STR("@ann:hs") : out.to;
    out.direct_chat = STR("!ann:hs");
    out.picture_file = STR("mxc://hs/picture");
    out.replace_only = false;
    out.reply_to = out.group = out.group_slot = STR("");
    for (int i = 0; i < STEPS; i++) {
        struct request r = {0};
        struct receipt got = {0};
        matrix_adapter.send(matrix, a, &out, &r);
        struct json event = json_open(r.body, JSON_LOOSE);
        struct str body = json_clean(a, event, "body", r.body.n);
        bool image = json_is(event, "msgtype", "m.image");
        if (image && json_is_str(event, "filename", body))
            body = STR("");
        json_free(event);
        if (image)
            return body;
        struct reply reply = answer_to(&r);
        matrix_adapter.receipt(matrix, a, &out, &reply, &got);
        if (!test_goes_on(&out, &got))
            fail_msg("no picture but %.*s, %.*s", STR_ARG(r.url), STR_ARG(got.note));
    }
    fail_msg("no picture after %d requests", STEPS);
    return STR("");
}

/* On Telegram the text is the caption. */
static struct str caption_of(struct arena *a, const struct chat_harness *h,
                             const struct outgoing *o)
{
    struct outgoing out = *o;
    out.text = without_codes(a, o->text);
    return h->accounts[0].can & CAN_POLL ? body_of(a, &out, o->where == TO_CHAT && o->alone)
                                         : text_unmarked(a, out.text);
}

FIXTURE(setup)
{
    struct err err;
    kept = arena_open((size_t)1 << 26);
    for (int i = 0; i < LANGUAGES; i++) {
        struct str bytes;
        char path[64];
        snprintf(path, sizeof path, "config/texts/%s.json", languages[i]);
        OK(file_read(path, 1 << 20, &bytes, &err));
        struct json all = json_open(bytes, JSON_FILE);
        collect(&vocabulary[i], all);
        qsort(vocabulary[i].word, (size_t)vocabulary[i].n, sizeof(struct str), compare);
        OK(json_close(all, &err));
        file_free(bytes);
    }
    open_matrix();
    return texts_load(STR(""), STR("en"), true, kept, &catalogues, &err) ? 0 : -1;
}

FIXTURE(teardown)
{
    matrix_adapter.close(matrix);
    arena_close(kept);
    return 0;
}

/* ---- what it says ---- */

static bool says(struct arena *a, struct str caption, struct str words)
{
    struct str folded = text_fold(a, words);
    return memmem(caption.p, caption.n, folded.p, folded.n) != NULL;
}

/* The people of `words` are in the caption, too. */
static void check_people(struct arena *a, const char *what, struct str words, struct str caption,
                         struct str picture)
{
    struct str folded = text_fold(a, words);
    for (size_t i = 0; i < PEOPLE; i++)
        if (says(a, folded, str_of(people[i])) && !says(a, caption, str_of(people[i])))
            fault(what, str_of(people[i]), caption, picture);
}

/* "Round 2 of 3 · #1", "Bob to move": the round as it stands there, and the name. */
static void check_head(struct arena *a, const struct texts *t, const struct layout_row *row,
                       struct str caption, struct str picture)
{
    struct str mine = text_unmarked(a, text_make(t, a, T_YOUR_MOVE, 0, NULL, 0)),
               round = row->text[0], turn = text_fold(a, row->text[1]);
    mine.n -= mine.p[mine.n - 1] == '.' ? 1 : strlen("。"); /* a time may follow */
    const char *dot = memmem(round.p, round.n, " · #", strlen(" · #"));
    if (dot)
        round.n = (size_t)(dot - round.p);
    if (!says(a, caption, round))
        fault("not which round:", round, caption, picture);
    if (says(a, turn, mine) && !says(a, caption, mine))
        fault("not whose move:", mine, caption, picture);
    check_people(a, "not whose move:", turn, caption, picture);
}

/* Of a table, the round and whose move it is; of a result, who has won; of a splash its word. */
static void check_rows(struct arena *a, const struct texts *t, bool match, struct str caption,
                       struct str picture)
{
    struct layout l;
    struct err err;
    OK(layout_read(picture, &l, &err));
    for (int i = 0; i < l.n_rows; i++) {
        const struct layout_row *row = &l.row[i];
        seen |= 1u << row->kind;
        if (row->kind == LAYOUT_HEAD && match)
            check_head(a, t, row, caption, picture);
        if (row->kind == LAYOUT_RESULT)
            check_people(a, "not who has won:", row->text[1], caption, picture);
        if (row->kind == LAYOUT_SPLASH && !says(a, caption, row->text[1]))
            fault("not what is called:", row->text[1], caption, picture);
    }
}

/* ---- what it keeps to itself ---- */

/* The seat of whoever the message is for; -1: it is for all. */
static int reader_of(const struct session *s, const struct outgoing *o)
{
    bool one = o->where != TO_CHAT || o->alone;
    for (int i = 0; i < s->players && one; i++)
        if (str_is(o->to, str_of(s->player[i].id)))
            return i;
    return -1;
}

static struct str without_yaku(struct arena *a, const struct words *w, struct str caption)
{
    struct str yaku[N_YAKU], other;
    struct buf b = {arena_room(a, caption.n + 1), 0, caption.n + 1, false};
    for (int y = 0; y < N_YAKU; y++) /* "four of a month (teyaku)" */
        yaku[y] = str_trim(str_cut(text_fold(a, w->yaku[y]), '(', &other));
    for (size_t skip; caption.n > 0; caption = str_skip(caption, skip)) {
        skip = 0;
        for (int y = 0; y < N_YAKU; y++)
            if (yaku[y].n > skip && str_starts(caption, yaku[y]))
                skip = yaku[y].n;
        if (skip == 0) {
            buf_char(&b, caption.p[0]);
            skip = 1;
        }
    }
    return buf_str(&b);
}

/* By a name that no open card has, too; as a name of a yaku it is no card. */
static bool names_card(struct arena *a, const struct words *w, int card, cardset open,
                       struct str caption, struct str bare)
{
    int same = 0;
    for (cardset rest = open; rest; rest = set_rest(rest))
        if (str_is(w->named[set_first(rest)], w->named[card]))
            return false;
    for (int c = 0; c < N_CARDS; c++)
        same += str_is(w->card[c], w->card[card]);
    return says(a, caption, w->named[card]) || says(a, caption, w->taken[card]) ||
           (same == 1 && says(a, bare, w->card[card]));
}

static bool draws_card(const struct layout *l, int card)
{
    for (int i = 0; i < l->n_rows; i++)
        for (int k = 0; k < l->row[i].n_cards && l->row[i].kind != LAYOUT_YAKU; k++)
            if (layout_card_of(l, &l->row[i], k)->card == card)
                return true;
    return false;
}

/* Neither caption nor picture have a card of the stock or of another's hand. */
static void check_secrets(struct arena *a, const struct texts *t, const struct session *s,
                          const struct outgoing *o, struct str caption)
{
    const struct words *w = words_for(t, str_of(s->rules.words));
    const struct round *r = &s->match.round;
    cardset open = r->field | (r->drawn != CARD_NONE ? CARD(r->drawn) : 0);
    struct str bare = without_yaku(a, w, caption);
    int reader = reader_of(s, o);
    struct layout l;
    struct err err;
    OK(layout_read(o->picture, &l, &err));
    for (int i = 0; i < r->players; i++)
        open |= r->taken[i] | (i == reader ? r->hand[i] : 0);
    for (int c = 0; c < N_CARDS; c++)
        if (!(open & CARD(c)) && (draws_card(&l, c) || names_card(a, w, c, open, caption, bare)))
            fault("a hidden card", w->named[c], caption, o->picture);
    secrets++;
}

/* ---- the story ---- */

static void check(struct chat_harness *h, int language, const struct outgoing *o)
{
    struct session s;
    struct arena *a = arena_open((size_t)1 << 22);
    const struct texts *t = texts_find(&catalogues, str_of(languages[language]));
    struct str caption = text_fold(a, caption_of(a, h, o));
    assert_non_null(t);
    check_language(a, language, caption, o->picture);
    check_rows(a, t, o->match > 0, caption, o->picture);
    if (o->match > 0 && chat_harness_session(h, &s) && s.no == o->match &&
        s.match.stage == MATCH_PLAYING)
        check_secrets(a, t, &s, o, caption);
    arena_close(a);
}

static struct str in_language(struct arena *a, struct str story, int language)
{
    const char *const words[][2] = {
        {"LANGUAGE", languages[language]}, {"RULES", "sensei"}, {"LONG", "6"}, {"SHORT", "3"}};
    const size_t n = sizeof words / sizeof *words;
    struct buf b = {arena_room(a, STORY), 0, STORY, false};
    while (story.n > 0) {
        size_t i = 0;
        while (i < n && !str_starts(story, str_of(words[i][0])))
            i++;
        if (i < n)
            buf_put(&b, str_of(words[i][1]));
        else
            buf_char(&b, story.p[0]);
        story = str_skip(story, i < n ? strlen(words[i][0]) : 1);
    }
    assert_false(b.cut);
    return buf_str(&b);
}

static void play_lines(struct chat_run *p, struct str lines, int language)
{
    for (struct str rest = in_language(p->harness->arena, lines, language); rest.n > 0;) {
        const struct sent_message *sent;
        struct str line = str_cut(rest, '\n', &rest);
        p->line_no++;
        if (line.n == 0 || line.p[0] == '#' || str_starts(line, STR("network:")) ||
            chat_setting(p, line))
            continue;
        chat_input(p, line);
        int n = chat_harness_sent(p->harness, &sent);
        for (int i = 0; i < n; i++)
            if (sent[i].out.picture.n > 0 && !sent[i].dropped)
                check(p->harness, language, &sent[i].out);
        chat_harness_forget(p->harness);
    }
}

static void play(int language, const struct kind *kind)
{
    static struct chat_run p;
    struct str story;
    struct err err;
    OK(file_read("tests/golden/language/pictures.story", STORY, &story, &err));
    p = (struct chat_run){
        .file = "pictures.story", .harness = chat_harness_open(DEFAULT_CAN), .kind = kind};
    kind_open(kind, &p.harness->accounts[0]);
    play_lines(&p, story, language);
    play_lines(&p, STR("alice~ /tutorial\nalice~ /tutorial 1\n"), language);
    file_free(story);
    chat_harness_close(p.harness);
}

static void play_on(const char *name, int language)
{
    char on[64];
    const struct kind *kind = network_kinds;
    while (strcmp(kind->name, name) != 0)
        kind++;
    snprintf(on, sizeof on, "%s on %s", languages[language], name);
    playing = on;
    faults = secrets = 0;
    seen = 1u << LAYOUT_TITLE; /* no page has one */
    play(language, kind);
    if (seen != (1u << LAYOUT_KINDS) - 1 || secrets < 50)
        fail_msg("%s: not all kinds of pictures were seen: %x, %d", on, seen, secrets);
    assert_int_equal(faults, 0);
}

TEST(captions_on_matrix)
{
    for (int i = 0; i < LANGUAGES; i += stride(4, 1)) /* a second each */
        play_on("matrix", i);
}

TEST(captions_on_telegram)
{
    for (int i = stride(2, 0); i < LANGUAGES; i += stride(4, 1)) /* others than on Matrix */
        play_on("rights", i);
}

TESTS_WITH(setup, teardown)
