/* See texts_style.h. Sentences are read as the program keeps them: marks are single bytes. Words are
 * compared folded. */
#include "texts_style.h"

#include "adapter.h"
#include "json.h"
#include "keyword.h"
#include "utf8.h"

#include <stdio.h>
#include <string.h>

enum { BUTTON_POINTS = 190, N_GENDERS = 3, SEEN_SLOTS = 4096 };

struct style {
    struct arena *a;
    const struct texts *t;
    struct json style, glossary;
    struct str *english; /* set of the words of the English catalogue, SEEN_SLOTS */
    bool latin;          /* the language is written in Latin letters */
    bool cards_agree;    /* each card's own words do */
    void (*note)(void *to, const char *where, const char *what, struct str found);
    void *to;
};

/* One sentence, or one word of a list. */
struct saying {
    const char *where;
    struct str s;
    enum text key; /* N_TEXTS: not a sentence of `texts` */
};

static void found(const struct style *y, const struct saying *w, const char *what, struct str s)
{
    y->note(y->to, w->where, what, s);
}

/* ---- characters and words ---- */

static bool is_cjk(uint32_t c)
{
    return (c >= 0x2E80 && c < 0xA4D0) || (c >= 0xF900 && c < 0xFB00) ||
           (c >= 0xFF00 && c < 0xFFF0);
}

static bool is_letter(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= 0xC0 && c < 0x2000 && c != 0xD7 && c != 0xF7) ||
           (is_cjk(c) && (c < 0x3000 || c > 0x303F) && c != 0x30FB && c < 0xFF00);
}

static uint32_t first_point(struct str s)
{
    return s.n > 0 ? utf8_next(&s) : 0;
}

/* The code point that ends before s.p[at]; 0 at the beginning. */
static uint32_t point_before(struct str s, size_t at)
{
    size_t from = at;
    while (from > 0 && ((unsigned char)s.p[--from] & 0xC0) == 0x80)
        continue;
    return at > 0 ? first_point((struct str){s.p + from, at - from}) : 0;
}

static uint32_t point_at(struct str s, size_t at)
{
    return first_point(str_skip(s, at));
}

/* Folded, without placeholders, code and marks. */
static struct str bare(const struct style *y, struct str s)
{
    struct buf b = {arena_room(y->a, s.n + 1), 0, s.n, false};
    bool code = false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '{' || c == MARK_CODE)
            code = true;
        if (!code && !(c >= MARK_BOLD && c <= MARK_LAST))
            buf_char(&b, c);
        if (c == '{')
            buf_char(&b, '\n'); /* parts what stands on both sides */
        if (c == '}' || c == MARK_END)
            code = false;
    }
    struct str lines = buf_str(&b), all = {0};
    while (lines.n > 0) {
        struct str line = text_fold(y->a, str_cut(lines, '\n', &lines));
        all = arena_print(y->a, "%.*s\n%.*s", STR_ARG(all), STR_ARG(line));
    }
    return all;
}

/* Cuts the next word off, letters and what joins them; an empty one at the end. *ret_apart: something
 * else than blanks stood before it. */
static struct str next_word(struct str *rest, bool *ret_apart)
{
    *ret_apart = false;
    while (rest->n > 0 && !is_letter(first_point(*rest)))
        *ret_apart |= utf8_next(rest) != ' ';
    struct str word = *rest;
    while (rest->n > 0) {
        struct str after = *rest;
        uint32_t c = utf8_next(&after);
        bool joins = (c == '-' || c == '\'' || c == 0x2019) && is_letter(first_point(after));
        if (!joins && !is_letter(c))
            break;
        *rest = after;
    }
    return (struct str){word.p, word.n - rest->n};
}

/* True if the folded text has the entry: a word or several, "stem-" with any ending, "-end" with any
 * beginning. Chinese and Japanese words have no edges. */
static bool has(struct str text, struct str entry)
{
    bool head = entry.n > 0 && entry.p[0] == '-', tail = entry.n > 1 && entry.p[entry.n - 1] == '-';
    entry = str_skip(entry, head);
    entry.n -= tail;
    if (entry.n == 0)
        return false;
    head |= is_cjk(first_point(entry));
    tail |= is_cjk(point_before(entry, entry.n));
    for (size_t from = 0; from + entry.n <= text.n; from++) {
        const char *p = memmem(text.p + from, text.n - from, entry.p, entry.n);
        if (!p)
            return false;
        from = (size_t)(p - text.p);
        if ((head || !is_letter(point_before(text, from))) &&
            (tail || !is_letter(point_at(text, from + entry.n))))
            return true;
    }
    return false;
}

static struct str style_str(const struct style *y, const char *name)
{
    struct json v = json_at(y->style, name);
    return json_kind(v) == JSON_STRING ? json_str(v, NULL) : (struct str){0};
}

/* ---- signs ---- */

static bool among(struct str set, uint32_t c)
{
    while (set.n > 0)
        if (utf8_next(&set) == c)
            return true;
    return false;
}

static bool is_blank(uint32_t c)
{
    return c == ' ' || c == 0xA0 || c == 0x202F || c == 0x3000;
}

static bool words_end(struct str signs, uint32_t c)
{
    return is_letter(c) || among(signs, c);
}

/* The signs behind which, or before which, the language has no blank; and those that need one. */
static void check_blanks(const struct style *y, const struct saying *w)
{
    const struct str tight = style_str(y, "tight"), before = style_str(y, "before");
    uint32_t last = 0, last_but_one = 0;
    for (struct str rest = w->s; rest.n > 0;) {
        struct str here = rest;
        uint32_t c = utf8_next(&rest);
        if (c >= MARK_BOLD && c <= MARK_LAST)
            continue;
        bool behind = is_blank(c) && among(tight, last);
        if (behind || (is_blank(last) && among(tight, c) && words_end(tight, last_but_one)))
            found(y, w, "a blank beside", here);
        if (is_blank(c) && is_blank(last) && words_end(STR(".,!?:;"), last_but_one))
            found(y, w, "two blanks before", here);
        bool ends = c == '!' || c == '?' || c == ';' || c == ':';
        bool in_word = (c == ':' || c == '?') && rest.n > 0 && !is_blank(first_point(rest)) &&
                       first_point(rest) > ' ';
        if (ends && !in_word && before.n > 0 && last != first_point(before) && last != '!' &&
            last != '?' && last != '}' && last != 0)
            found(y, w, "expected a narrow blank before", here);
        if (ends && before.n == 0 && is_blank(last) && is_letter(last_but_one))
            found(y, w, "a blank before", here);
        last_but_one = last;
        last = c;
    }
}

static void check_percent(const struct style *y, const struct saying *w)
{
    const struct str percent = style_str(y, "percent");
    for (size_t i = 0; percent.n > 0 && i < w->s.n; i++) {
        if (w->s.p[i] != '%')
            continue;
        size_t from = i + 1 > percent.n ? i + 1 - percent.n : 0;
        bool good = i + 1 > percent.n && memcmp(w->s.p + from, percent.p, percent.n) == 0 &&
                    !is_blank(point_before(w->s, from));
        if (!good)
            found(y, w, "expected percents as in", arena_print(y->a, "47%.*s", STR_ARG(percent)));
    }
}

static bool joins_names(uint32_t c)
{
    return c == 0 || c == '{' || c == '}' || c == '@' || (c >= '0' && c <= '9');
}

/* A dash with blanks is the language's, but between names or numbers: "{ann} – {bo}". */
static void check_dashes(const struct style *y, const struct saying *w)
{
    const struct str dash = style_str(y, "dash");
    const bool any = json_at(y->style, "dash").at == NULL;
    uint32_t last = 0, left = 0;
    for (struct str rest = w->s; !any && rest.n > 0;) {
        struct str here = rest;
        uint32_t c = utf8_next(&rest);
        if (c >= MARK_BOLD && c <= MARK_LAST)
            continue;
        struct str after = rest;
        while (after.n > 0 && (is_blank(first_point(after)) || (first_point(after) >= MARK_BOLD &&
                                                                first_point(after) <= MARK_LAST)))
            (void)utf8_next(&after);
        const bool spaced = is_blank(last) && is_blank(first_point(rest));
        const bool is_dash = c == '-' || c == 0x2013 || c == 0x2014;
        const bool pair = joins_names(left) && joins_names(first_point(after)) && c == 0x2013;
        if (is_dash && (spaced || c == 0x2014) && !pair && !among(dash, c))
            found(y, w, "a foreign dash", here);
        last = c;
        left = is_blank(c) ? left : c;
    }
}

/* All signs that quote or are an apostrophe, somewhere. */
static void check_quotes(const struct style *y, const struct saying *w)
{
    const struct str all = STR("\"'“”„‟‘’‚«»‹›「」『』"), quotes = style_str(y, "quotes");
    for (struct str rest = w->s; rest.n > 0;) {
        struct str here = rest;
        uint32_t c = utf8_next(&rest);
        if (among(all, c) && !among(quotes, c))
            found(y, w, "a foreign quote or apostrophe", here);
    }
}

/* Width of a label in points of 1/15 em, as a sans-serif of the apps has it. */
static int points_of(struct str s)
{
    int points = 0;
    bool inner = false;
    while (s.n > 0) {
        uint32_t c = utf8_next(&s);
        inner |= c == '{';
        if (!inner && c > ' ')
            points += is_cjk(c) || c >= 0x1F000                     ? 15
                      : c < 0x80 && strchr("iljtfr.,:;!'|", (int)c) ? 4
                      : c < 0x80 && strchr("mwMW", (int)c)          ? 12
                      : c == 0x416 || c == 0x428 || c == 0x429 || c == 0x41C || c == 0x42E ||
                              c == 0x436 || c == 0x448 || c == 0x449 || c == 0x44E || c == 0x444
                          ? 11
                      : c >= 'A' && c <= 'Z' ? 10
                                             : 8;
        points += !inner && c == ' ' ? 4 : 0;
        inner &= c != '}';
    }
    return points;
}

static void check_width(const struct style *y, const struct saying *w)
{
    if (w->key < N_TEXTS && str_starts(str_of(text_name(w->key)), STR("button_")) &&
        points_of(w->s) > BUTTON_POINTS)
        found(y, w, "expected a shorter label, got", w->s);
}

/* ---- words ---- */

static size_t slot_of(const struct str *set, struct str word)
{
    size_t i = str_hash(word) % SEEN_SLOTS;
    while (set[i].n > 0 && !str_is(set[i], word))
        i = (i + 1) % SEEN_SLOTS;
    return i;
}

/* Words of English, or of any Latin letters where the language has others. */
static void check_english(const struct style *y, const struct saying *w)
{
    struct str loans = text_fold(y->a, style_str(y, "loans")), rest = bare(y, w->s);
    bool apart;
    if (str_is(y->t->language, STR("en")))
        return;
    for (struct str word = next_word(&rest, &apart); word.n > 0; word = next_word(&rest, &apart)) {
        char before = word.p[-1], behind = rest.n > 0 ? rest.p[0] : ' '; /* a blank comes first */
        bool code = (before >= '0' && before <= '9') || (behind >= '0' && behind <= '9');
        bool latin = word.n > 1 && !code;
        for (struct str letters = word; letters.n > 0;) {
            uint32_t c = utf8_next(&letters);
            latin &= c < 0x80 || c == 0x2019;
        }
        bool english = word.n > 2 && y->english[slot_of(y->english, word)].n > 0;
        if (latin && (!y->latin || english) && !has(loans, word))
            found(y, w, "an English word", word);
    }
}

/* True if the word is English for an option or a value of one that the language calls otherwise. */
static bool is_english_option(const struct texts *t, struct str word)
{
    for (int k = KEYWORD_RULES; k < N_KEYWORDS; k++)
        if (str_is(word, str_of(keyword_names[k]))) {
            for (int i = 0; i < MAX_ALIASES && t->option[k][i].n > 0; i++)
                if (str_is(t->option[k][i], word))
                    return false;
            return t->option[k][0].n > 0;
        }
    for (int i = 0; i < t->n_rule_words; i++)
        if (str_is(word, t->rule_word[i].key))
            return t->rule_word[i].word.n > 0 && !str_is(t->rule_word[i].word, word);
    return false;
}

/* "name=value" in a sentence has the language's words. */
static void check_options(const struct style *y, const struct saying *w)
{
    static const char ends[] = " \n\t=,;:()[]{}\"";
    for (size_t at = 0; at < w->s.n; at++) {
        if (w->s.p[at] != '=')
            continue;
        size_t from = at, to = at + 1;
        while (from > 0 && (unsigned char)w->s.p[from - 1] > ' ' && !strchr(ends, w->s.p[from - 1]))
            from--;
        while (to < w->s.n && (unsigned char)w->s.p[to] > ' ' && !strchr(ends, w->s.p[to]))
            to++;
        const struct str sides[] = {{w->s.p + from, at - from}, {w->s.p + at + 1, to - at - 1}};
        for (int i = 0; i < 2; i++)
            if (is_english_option(y->t, sides[i]))
                found(y, w, "an English option", sides[i]);
    }
}

/* The first word of a row is the language's; the others are refused. */
static void check_glossary(const struct style *y, const struct saying *w)
{
    struct str text = bare(y, w->s);
    for (struct json row = json_first(y->glossary); row.at; row = json_next(row)) {
        struct json first = json_first(row);
        for (struct json m = first.at ? json_next(first) : first; m.at; m = json_next(m)) {
            struct str word = json_str(m, NULL), instead = json_str(first, NULL);
            if (has(text, text_fold(y->a, word)))
                found(y, w, "a second word",
                      arena_print(y->a, "%.*s (%.*s: %.*s)", STR_ARG(word), STR_ARG(json_name(row)),
                                  STR_ARG(instead)));
        }
    }
}

/* Names have no case and no gender: `before` is refused right before them, `after` right behind. */
static void check_names(const struct style *y, const struct saying *w)
{
    static const char *const places[] = {"{name}", "{who}", "{whom}", "{ann}", "{bo}", "{other}"};
    const struct json names = json_at(y->style, "names");
    for (size_t k = 0; names.at && k < sizeof places / sizeof *places; k++) {
        const char *p = w->s.n > 0 ? memmem(w->s.p, w->s.n, places[k], strlen(places[k])) : NULL;
        if (!p)
            continue;
        size_t at = (size_t)(p - w->s.p), end = at + strlen(places[k]);
        struct str head = text_fold(y->a, (struct str){w->s.p, at}), word = {0}, last = {0};
        bool apart, touches = at > 0 && w->s.p[at - 1] == ' ' && at > 1 &&
                              is_letter(point_before(w->s, at - 1));
        while ((word = next_word(&head, &apart)).n > 0)
            last = word;
        struct str tail = text_fold(y->a, str_skip(w->s, end));
        bool follows = end + 1 < w->s.n && w->s.p[end] == ' ' && is_letter(point_at(w->s, end + 1));
        struct str next = next_word(&tail, &apart);
        struct str before = text_fold(y->a, json_str(json_at(names, "before"), NULL)), entry;
        while (touches && (entry = str_word(&before)).n > 0)
            if (str_is(entry, last))
                found(y, w, "a name that would be declined behind", last);
        struct str after = text_fold(y->a, json_str(json_at(names, "after"), NULL));
        while (follows && (entry = str_word(&after)).n > 0)
            if (has(next, entry))
                found(y, w, "a gender behind a name", next);
    }
}

/* ---- cards in sentences ---- */

/* Bits of the genders in whose list ("nouns", "adjectives") the word is. */
static int genders_of(const struct style *y, const char *list, struct str word)
{
    static const char *const names[N_GENDERS] = {"m", "f", "n"};
    int bits = 0;
    for (int g = 0; g < N_GENDERS; g++) {
        struct str words = json_str(json_in(y->style, "genders", names[g], list, NULL), NULL);
        for (struct str entry = str_word(&words); entry.n > 0; entry = str_word(&words))
            bits |= str_is(entry, word) << g;
    }
    return bits;
}

static bool agrees(const struct style *y, struct str text, struct str *ret_pair)
{
    struct str rest = text_fold(y->a, text), last = {0};
    bool apart;
    int noun_before = 0, adjective_before = 0;
    for (struct str word = next_word(&rest, &apart); word.n > 0; word = next_word(&rest, &apart)) {
        int noun_now = genders_of(y, "nouns", word);
        int adjective_now = genders_of(y, "adjectives", word);
        bool behind = noun_before && adjective_now;
        int noun = behind ? noun_before : noun_now;
        int adjective = behind ? adjective_now : adjective_before;
        if (!apart && noun && adjective && !(noun & adjective)) {
            *ret_pair = arena_print(y->a, "%.*s %.*s", STR_ARG(last), STR_ARG(word));
            return false;
        }
        last = word;
        noun_before = noun_now;
        adjective_before = adjective_now;
    }
    return true;
}

static struct str card_in_form(const struct style *y, int i)
{
    const struct words *words = &y->t->words[i / (3 * N_CARDS)];
    int card = i / 3 % N_CARDS;
    return i % 3 == 0 ? words->card[card] : i % 3 == 1 ? words->named[card] : words->taken[card];
}

/* True if a sentence without its cards has a word of the lists. */
static bool has_gender(const struct style *y, struct str s)
{
    struct str rest = bare(y, s);
    bool apart, any = false;
    for (struct str word = next_word(&rest, &apart); word.n > 0; word = next_word(&rest, &apart))
        any |= genders_of(y, "nouns", word) || genders_of(y, "adjectives", word);
    return any;
}

/* A sentence with each of the 48 cards, in each form: no adjective stands beside a noun of another
 * gender. */
static void check_gender(const struct style *y, const struct saying *w)
{
    struct str pair;
    if (w->key == N_TEXTS || !memmem(w->s.p, w->s.n, "{card", 5) ||
        (y->cards_agree && !has_gender(y, w->s)))
        return;
    for (int i = 0; i < 3 * N_CARDS * y->t->n_words; i++) {
        struct str card = card_in_form(y, i), args[] = {card, card};
        if (!agrees(y, text_fill(y->a, w->s, "card cards", args, 2), &pair)) {
            found(y, w, "two genders in", pair);
            return;
        }
    }
}

/* ---- all of a catalogue ---- */

typedef void rule(const struct style *y, const struct saying *w);

static void check_saying(const struct style *y, const char *where, struct str s, enum text key)
{
    static rule *const rules[] = {check_blanks, check_percent, check_dashes,  check_quotes,
                                  check_width,  check_english, check_options, check_glossary,
                                  check_names,  check_gender};
    char name[96];
    snprintf(name, sizeof name, "%s", where); /* `where` lives in the arena */
    struct saying w = {name, s, key};
    for (size_t i = 0; s.n > 0 && i < sizeof rules / sizeof *rules; i++)
        rules[i](y, &w);
    arena_reset(y->a);
}

/* Calls it with every sentence and word that the catalogue has itself. */
static void each(const struct style *y, const struct texts *t,
                 void (*call)(const struct style *y, const char *where, struct str s,
                              enum text key))
{
    const struct texts *e = t->english ? t->english : &(struct texts){.n_words = 0};
    for (int k = 0; k < N_TEXTS; k++)
        for (int p = 0; p < N_PLURALS; p++)
            call(y, arena_print(y->a, "texts.%s", text_name((enum text)k)).p,
                 text_form(t, (enum text)k, (enum plural)p), (enum text)k);
    for (int v = 1; v < MAX_COMMANDS; v++)
        if (t->brief[v].p != e->brief[v].p) {
            char name[96];
            snprintf(name, sizeof name, "commands: %.*s", STR_ARG(t->alias[v][0]));
            call(y, name, t->brief[v], N_TEXTS);
            call(y, name, t->about[v], N_TEXTS);
            for (int i = 0; i < MAX_EXAMPLES; i++)
                call(y, name, t->example[v][i], N_TEXTS);
        }
    for (int i = 0; i < t->n_rule_words; i++)
        call(y, arena_print(y->a, "rules.%.*s", STR_ARG(t->rule_word[i].key)).p,
             t->rule_word[i].word, N_TEXTS);
    for (int i = 0; i < t->n_words; i++) { /* of a later set only what is its own */
        const struct words *w = &t->words[i], *first = i > 0 ? &t->words[0] : &e->words[0];
        char name[64];
        snprintf(name, sizeof name, "words.%.*s", STR_ARG(w->name));
        for (int c = 0; c < N_CARDS; c++)
            if (w->named[c].p != first->named[c].p)
                call(y, name, w->named[c], N_TEXTS);
        for (int n = 0; n < N_YAKU; n++)
            if (w->yaku[n].p != first->yaku[n].p)
                call(y, name, w->yaku[n], N_TEXTS);
        for (int n = 0; n < N_WORDS; n++)
            if (w->word[n].p != first->word[n].p)
                call(y, name, w->word[n], N_TEXTS);
    }
}

static void remember(const struct style *y, const char *where, struct str s, enum text key)
{
    struct str rest = bare(y, s);
    bool apart;
    (void)where, (void)key;
    for (struct str word = next_word(&rest, &apart); word.n > 0; word = next_word(&rest, &apart))
        y->english[slot_of(y->english, word)] = word;
}

/* A setting's label has the word that people type for it. */
static void check_labels(const struct style *y)
{
    static const struct {
        enum keyword option;
        enum text label;
    } settings[] = {
#define SETTING(id, ...) {KEYWORD_##id, T_SET_##id},
#define SWITCH           SETTING
#define HOUR             SETTING
#define OWN              SETTING
#include "setting.def"
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        enum text key = settings[i].label;
        struct str word = y->t->option[settings[i].option][0],
                   label = text_form(y->t, key, PLURAL_OTHER);
        struct str folded = text_fold(y->a, label);
        struct saying w = {arena_print(y->a, "texts.%s", text_name(key)).p, label, key};
        if (word.n > 0 && label.n > 0 && !memmem(folded.p, folded.n, word.p, word.n))
            found(y, &w, "expected the option's word", word);
    }
}

/* The language's own word of each row stands somewhere in the catalogue. */
static void check_rows(const struct style *y, struct str all)
{
    for (struct json row = json_first(y->glossary); row.at; row = json_next(row)) {
        struct str word = json_str(json_first(row), NULL);
        struct saying w = {"glossary", word, N_TEXTS};
        if (!memmem(all.p, all.n, word.p, word.n - (word.n > 1 && word.p[word.n - 1] == '-')))
            found(y, &w, "a word that the catalogue does not use", word);
    }
}

void texts_style_check(struct str bytes, const struct texts *t,
                       void (*note)(void *to, const char *where, const char *what,
                                    struct str found),
                       void *to)
{
    enum { ONE_SAYING = 1 << 24, VOCABULARY = 1 << 26 };
    struct str style, glossary;
    if (!json_raw(bytes, "style", &style) || !json_raw(bytes, "glossary", &glossary))
        return;
    struct arena *words = arena_open(VOCABULARY), *scratch = arena_open(ONE_SAYING);
    struct style y = {words,
                      t,
                      json_open(style, JSON_LOOSE),
                      json_open(glossary, JSON_LOOSE),
                      arena_array(words, struct str, SEEN_SLOTS),
                      (unsigned char)t->title.p[0] < 0x80,
                      true,
                      note,
                      to};
    if (t->english)
        each(&y, t->english, remember);
    y.a = scratch;
    for (int i = 0; i < 3 * N_CARDS * t->n_words; i++) {
        struct str pair;
        y.cards_agree &= agrees(&y, card_in_form(&y, i), &pair);
    }
    each(&y, t, check_saying);
    check_labels(&y);
    check_rows(&y, str_skip(bytes, (size_t)(glossary.p + glossary.n - bytes.p)));
    json_free(y.style);
    json_free(y.glossary);
    arena_close(scratch);
    arena_close(words);
}
