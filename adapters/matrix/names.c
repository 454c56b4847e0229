/* See sync.h. A name is the local part of a user id, a display name, or the first word of one, in
 * letters of any case; the longest display name wins, and whole names win over first words. */
#include "sync.h"

enum { FIT_FIRST_WORD = 1, FIT_WHOLE };

/* Bytes of the word without the punctuation behind it. */
static struct str bare(struct str word)
{
    while (word.n > 0 && strchr(":,;.!?", word.p[word.n - 1]))
        word.n--;
    return word;
}

/* Behind the '@' of a word that is a name; empty for any other word. */
static struct str typed_name(struct str word)
{
    word = bare(word);
    return word.n > 1 && word.p[0] == '@' && !wire_is_user_id(word) ? str_skip(word, 1) : STR("");
}

bool names_are_typed(const struct update *u)
{
    if (u->kind != UPDATE_TEXT || u->direct || u->reacted)
        return false;
    for (struct str rest = u->text, word; (word = str_word(&rest)).n > 0;)
        if (typed_name(word).n > 0)
            return true;
    return false;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* True if s begins with `name`, and a word ends there. */
static bool begins_with_name(struct str s, struct str name)
{
    if (name.n == 0 || name.n > s.n)
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (lower(s.p[i]) != lower(name.p[i]))
            return false;
    return s.n == name.n || strchr(" \t\n:,;.!?", s.p[name.n]);
}

/* How `typed`, the rest of a text behind '@', fits a member; *ret_n: the bytes that are the
 * name. */
static int fit_of(struct str typed, struct str id, struct str shown, size_t *ret_n)
{
    struct str server, rest = shown, local = str_cut(str_skip(id, 1), ':', &server),
                       first = str_word(&rest);
    int fit = 0;
    *ret_n = 0;
    if (begins_with_name(typed, local)) {
        *ret_n = local.n;
        fit = FIT_WHOLE;
    }
    if (shown.n > *ret_n && begins_with_name(typed, shown)) {
        *ret_n = shown.n;
        fit = FIT_WHOLE;
    }
    if (fit == 0 && begins_with_name(typed, first)) {
        *ret_n = first.n;
        fit = FIT_FIRST_WORD;
    }
    return fit;
}

struct hits {
    int n, fit;
    size_t bytes;
    struct sender at[MAX_MENTIONS]; /* the first ones */
};

/* The members that the name at the beginning of `typed` fits best. */
static struct hits find(struct arena *a, struct json joined, struct str typed)
{
    struct hits hits = {0};
    for (struct json member = json_first(joined); member.at; member = json_next(member)) {
        struct str id = json_name(member), name = wire_name(a, member, "display_name");
        size_t bytes;
        int fit = wire_is_user_id(id) ? fit_of(typed, id, name, &bytes) : 0;
        if (fit == 0 || fit < hits.fit || (fit == hits.fit && bytes < hits.bytes))
            continue;
        if (fit > hits.fit || bytes > hits.bytes)
            hits = (struct hits){.fit = fit, .bytes = bytes};
        id = arena_str(a, id);
        struct sender who = {.id = id, .handle = str_skip(id, 1), .name = name};
        if (name.n == 0) {
            struct str server;
            who.name = str_cut(who.handle, ':', &server);
        }
        if (hits.n < MAX_MENTIONS)
            hits.at[hits.n] = who;
        hits.n++;
    }
    return hits;
}

static void mention(struct update *u, struct sender who)
{
    for (int i = 0; i < u->n_mentions; i++)
        if (str_is(u->mention[i].id, who.id))
            return;
    if (u->n_mentions < MAX_MENTIONS)
        u->mention[u->n_mentions++] = who;
}

/* Notes the first name that does not mean exactly one member. */
static void note_unnamed(struct update *u, struct str typed, const struct hits *hits)
{
    if (u->unnamed.n > 0)
        return;
    u->unnamed = typed;
    u->n_choices = hits->n < MAX_MENTIONS ? hits->n : MAX_MENTIONS;
    memcpy(u->choice, hits->at, sizeof u->choice);
}

void names_resolve(const struct matrix *m, struct arena *a, struct json joined, struct update *u)
{
    struct str done = {0}, text = u->text;
    for (size_t i = 0; i < text.n;) {
        struct str rest = str_skip(text, i), word = rest;
        bool begins = i == 0 || text.p[i - 1] == ' ' || text.p[i - 1] == '\n';
        struct str typed = begins ? typed_name(str_word(&word)) : STR("");
        if (rest.p[0] != '@' || typed.n == 0) {
            i++;
            continue;
        }
        struct hits hits = find(a, joined, str_skip(rest, 1));
        if (hits.n != 1) {
            note_unnamed(u, typed, &hits);
            i++;
            continue;
        }
        hits.at[0].bot = str_is(hits.at[0].id, m->session.user);
        mention(u, hits.at[0]);
        done = arena_print(a, "%.*s%.*s", (int)i, text.p, STR_ARG(hits.at[0].id));
        text = arena_print(a, "%.*s%.*s", STR_ARG(done), STR_ARG(str_skip(rest, 1 + hits.bytes)));
        i = done.n;
    }
    u->text = text;
}
