/* Who must learn it, learns it: every kind of message that somebody must learn, after everything that can
 * happen to its place, on networks with different ways to a person. While a way to a person is open (the
 * chat where they are and the bot may write, the private chat, the answer to their own press), the message
 * reaches them; and nobody's time ends unless they learned that it ran.
 *
 * To add a kind of notice, or a line to a table: a row of `messages`, or of `needless` with the reason. */
#include "engine/test.h"
#include "engine/stride.h"
#include "file.h"
#include "golden/chat_input.h"
#include "command.h"
#include "notice.h"
#include "texts.h"

#include <ctype.h>
#include <glob.h>
#include <strings.h>

/* ---- what must be learned ---- */

#define OPEN  "alice> /challenge @bob okoshki 3 first_dealer=challenger clock=1h\n"
#define MATCH OPEN "bob> /accept\n"
#define CASUAL                                                                                     \
    "alice> /challenge @bob okoshki 3 casual first_dealer=challenger clock=1h\nbob> /accept\n"
#define FOUR                                                                                       \
    "deal 1: alice 1b 2a 3b 4a 5a 6a 7a 8b; bob 9a 9r 9p1 9p2 10a 10r 11a 12b; field 1r 2r 3r 4r " \
    "5r 6r 7r 8a\n" MATCH
#define THREE                                                                                      \
    "alice> /challenge @bob @cleo mongolopedia 6 casual first_dealer=challenger clock=1h\n"
#define AT_3 THREE "bob> /accept\ncleo> /accept\nauto 1\n"
#define LOBBY                                                                                      \
    "alice> /tournament knockout standard 3\nbob> /tournament join\ncleo> /tournament join\n"
#define STARTED LOBBY "alice> /tournament start\nwait 1s\n"
#define SEARCH  "admin: alice\nalice> /settings seek=on\nalice> /seek standard 3\n"

#define ANSWER  "answers who has asked: answers_to_who_asked, below"
#define ENDED   "why the result of the match, which follows, is what it is"
#define PRIVATE "goes to the private chat alone, which is the last way"

struct message_row {
    enum notice_kind kind;
    enum text key;      /* NOTICE_LINE: its sentence */
    const char *phrase; /* what is read; NULL: the longest fixed part of that sentence */
    enum text instead;  /* or this is read, which says as much */
    bool calls;         /* what is read makes a sound */
    const char *who;    /* must learn it */
    const char *begin;  /* the story before anything happens to the place */
    const char *line;   /* what makes the message */
    const char *away;   /* why those who have left the chat do not learn it; NULL: they do */
};
static const char pressed[] = "who presses a button of the chat is there again";
static const struct message_row messages[] = {
    {NOTICE_HAND, 0, "Your move.", T_TO_MOVE, true, "bob", MATCH, "auto 1\nwait 20m", NULL},
    {NOTICE_PING, 0, "Your move.", T_TO_MOVE, true, "bob", MATCH "auto 1\n", "auto 2\nwait 20m",
     NULL},
    {NOTICE_OFFER, 0, "challenges", 0, true, "bob", "", OPEN, NULL},
    {NOTICE_START, 0, "the match begins", 0, false, "alice bob", OPEN, "bob> /accept", NULL},
    {NOTICE_ROUND, 0, " next", 0, true, "alice bob", MATCH, "auto round", pressed},
    {NOTICE_VOID, 0, "is dealt anew", 0, true, "alice bob", FOUR, "bob~ /redeal", NULL},
    {NOTICE_MATCH, 0, "wins match", 0, true, "alice bob", MATCH "alice> /resign\n",
     "alice~ /resign", NULL},
    {NOTICE_TOURNAMENT, 0, "round 1 of", 0, true, "alice bob cleo", LOBBY,
     "alice> /tournament start", NULL},
    {NOTICE_LINE, T_WARNED, NULL, T_OUT_OF_REACH, true, "alice", MATCH, "wait 50m", NULL},
    {NOTICE_LINE, T_TIME_UP, NULL, T_OUT_OF_REACH, true, "alice bob", MATCH, "wait 130m", NULL},
    {NOTICE_LINE, T_ABANDONED, NULL, 0, true, "alice bob", MATCH "wait 70m\n", "wait 16d", NULL},
    {NOTICE_LINE, T_NUDGED, NULL, 0, true, "alice", MATCH "wait 5m\n", "bob> /nudge", NULL},
    {NOTICE_LINE, T_WAITING, NULL, T_OUT_OF_REACH, false, "alice", MATCH, "wait 130m\nbob~ /wait",
     NULL},
    {NOTICE_LINE, T_END_MATCH, NULL, 0, true, "alice bob", MATCH, "olga~ /end 1", NULL},
    {NOTICE_LINE, T_DECLINED_WORDS, NULL, 0, true, "alice", OPEN, "bob> /decline not today", NULL},
    {NOTICE_LINE, T_EXPIRED, NULL, T_VENUE_LEFT_OFFER, true, "alice", OPEN, "wait 3d", NULL},
    {NOTICE_LINE, T_END_OFFER, NULL, T_VENUE_LEFT_OFFER, true, "alice", OPEN, "olga~ /end 1", NULL},
    {NOTICE_LINE, T_CHOOSE_TWO, NULL, 0, true, "alice cleo", AT_3 "bob> /resign\n", "bob> /resign",
     NULL},
    {NOTICE_LINE, T_GOES_ON_WITHOUT, NULL, 0, false, "alice cleo",
     AT_3 "bob> /resign\nbob> /resign\n", "alice~ /continue\ncleo~ /continue", NULL},
    {NOTICE_LINE, T_TAKEN_BACK, NULL, 0, false, "alice", CASUAL "auto 1\nalice> /takeback\n",
     "bob~ /takeback", NULL},
    {NOTICE_LINE, T_CANCELLED, NULL, T_VENUE_LEFT_OFFER, false, "bob", OPEN,
     "alice~ /cancel\nalice~ /cancel", NULL},
    {NOTICE_LINE, T_VACATION_TOLD, NULL, 0, false, "bob", MATCH, "alice~ /vacation 3", NULL},
    {NOTICE_LINE, T_SEEK_EXPIRED, NULL, T_VENUE_LEFT_OFFER, true, "alice", SEARCH, "wait 9d", NULL},
    {NOTICE_LINE, T_TOURNAMENT_EXPIRED, NULL, 0, false, "alice bob cleo", LOBBY, "wait 8d", NULL},
    {NOTICE_LINE, T_TOURNAMENT_CANCELLED, NULL, 0, false, "alice bob cleo", LOBBY,
     "alice> /tournament cancel", NULL},
    {NOTICE_LINE, T_TOURNAMENT_STOPPED, NULL, 0, false, "alice bob cleo", STARTED,
     "alice> /tournament cancel", NULL},
    {NOTICE_LINE, T_TOURNAMENT_PLAYER_GONE, NULL, 0, false, "alice", STARTED,
     "bob> /tournament leave", NULL},
};
enum { N_MESSAGES = sizeof messages / sizeof *messages };

/* Kinds and lines to others that nobody must learn, and why. */
static const struct needless {
    enum notice_kind kind;
    enum text key; /* NOTICE_LINE: 0 for all answers to a question */
    const char *why;
} needless[] = {
    {NOTICE_BOARD, 0, "the turn comes with the hand or the ping"},
    {NOTICE_HAND_SHORT, 0, ANSWER},
    {NOTICE_TARGETS, 0, ANSWER},
    {NOTICE_QUIET, 0, "takes away what was said"},
    {NOTICE_CLOSE, 0, "takes buttons away"},
    {NOTICE_DECLINE, 0, ANSWER},
    {NOTICE_INVITES, 0, ANSWER},
    {NOTICE_MOVES, 0, ANSWER},
    {NOTICE_YAKU, 0, ANSWER},
    {NOTICE_RULES, 0, ANSWER},
    {NOTICE_SETS, 0, ANSWER},
    {NOTICE_CARDS, 0, ANSWER},
    {NOTICE_SCORE, 0, ANSWER},
    {NOTICE_GAMES, 0, ANSWER},
    {NOTICE_HELP, 0, ANSWER},
    {NOTICE_SETTINGS, 0, ANSWER},
    {NOTICE_OPPONENTS, 0, ANSWER},
    {NOTICE_LANGUAGES, 0, ANSWER},
    {NOTICE_VERIFY, 0, ANSWER},
    {NOTICE_EXPORT, 0, ANSWER},
    {NOTICE_MYDATA, 0, ANSWER},
    {NOTICE_REVIEW, 0, ANSWER},
    {NOTICE_WATCH, 0, ANSWER},
    {NOTICE_REPLAY, 0, ANSWER},
    {NOTICE_STANDINGS, 0, ANSWER},
    {NOTICE_SEASON_OVER, 0, "a table that /board shows to whoever asks"},
    {NOTICE_ME, 0, ANSWER},
    {NOTICE_START_MENU, 0, ANSWER},
    {NOTICE_WELCOME, 0, "greets a chat"},
    {NOTICE_FRIEND, 0, ANSWER},
    {NOTICE_LESSON, 0, ANSWER},
    {NOTICE_LESSON_REFUSAL, 0, ANSWER},
    {NOTICE_PUZZLE, 0, "invites a chat"},
    {NOTICE_PUZZLE_KEPT, 0, ANSWER},
    {NOTICE_WEEK, 0, "a table of a chat"},
    {NOTICE_DUEL, 0,
     "invites a chat; each player has read their own result at the end of their try"},
    {NOTICE_PUZZLE_SOLUTION, 0, ANSWER},
    {NOTICE_LINE, T_DECLINED, "T_DECLINED_WORDS by a button"},
    {NOTICE_LINE, T_CHOOSE_ONE, "T_CHOOSE_TWO with one who stays"},
    {NOTICE_LINE, T_TOURNAMENT_NEITHER, ENDED},
    {NOTICE_LINE, T_TOURNAMENT_LEVEL, ENDED},
    {NOTICE_LINE, T_TOURNAMENT_LEADS, ENDED},
    {NOTICE_LINE, T_SEEK_MET, "the start of the match follows"},
    {NOTICE_LINE, T_MENDED, "the board and the hands follow"},
    {NOTICE_LINE, T_BETWEEN_ROUNDS, "stands in for a board before the first deal"},
    {NOTICE_LINE, T_REVIEW_FAILED, ANSWER},
    {NOTICE_LINE, T_PLAY_ON_ANEW, PRIVATE},
    {NOTICE_LINE, T_PLAY_ON_DEALT, PRIVATE},
    {NOTICE_LINE, T_PLAYER_LEFT, "the fates of those who leave: their turns come in private"},
    {NOTICE_LINE, T_VENUE_LEFT_OFFER, "stands in for the end of an offer: rows above"},
    {NOTICE_LINE, T_OUT_OF_REACH, "stands in for what is not told: rows above"},
    {NOTICE_LINE, T_OPEN_CHAT, "stands in for a hand: rows above"},
    {NOTICE_LINE, T_TAP_HAND, "an answer to a press"},
    {NOTICE_LINE, T_VENUE_LEFT, "to the other chats of a match: the board goes on there"},
    {NOTICE_LINE, T_VENUE_SHUT, PRIVATE},
    {NOTICE_LINE, T_VENUE_AGAIN, PRIVATE},
    {NOTICE_LINE, T_LEFT_CHAT, PRIVATE},
    {NOTICE_LINE, T_UNREAD_THERE, PRIVATE},
    {NOTICE_LINE, T_LINKED, PRIVATE},
    {NOTICE_LINE, T_NOTIFY_HERE, PRIVATE},
    {NOTICE_LINE, T_NOTIFY_ANY, PRIVATE},
    {NOTICE_LINE, T_DUEL_CLOSED, PRIVATE},
    {NOTICE_LINE, T_OFFER_INLINE, "no seat is in that chat"},
};

/* ---- what happens to the place ---- */

static const struct fate {
    const char *name, *lines; /* NULL: nothing */
    bool shut;                /* the bot writes nothing in the group */
    const char *blocked;      /* has shut their private chat; may be empty */
    const char *gone;         /* is not in the group */
} fates[] = {
    {"nothing", "", false, "", ""},
    {"it refuses this message", "tea refuses", true, "", ""},
    {"the bot is expelled", "bot leaves tea\ntea refuses", true, "", ""},
    {"Bob has blocked the bot", "bob blocks", false, "bob", ""},
    {"Bob leaves", "bob leaves tea", false, "", "bob"},
    {"Alice leaves", "alice leaves tea", false, "", "alice"},
    {"it refuses, and Bob has blocked the bot", "tea refuses\nbob blocks", true, "bob", ""},
    {"it refuses, and Alice has blocked the bot", "tea refuses\nalice blocks", true, "alice", ""},
    {"a long pause", "tea pauses 20d", true, "", ""},
    {"a long pause, and Bob has blocked the bot", "tea pauses 20d\nbob blocks", true, "bob", ""},
};
enum { N_FATES = sizeof fates / sizeof *fates };

enum {
    USUAL = CAN_BUTTONS | CAN_EDIT | CAN_ERASE | CAN_POPUP | CAN_HANDLES | CAN_CLOSE | CAN_FOLD
};
static const uint32_t networks[] = {
    USUAL | CAN_WHISPER | CAN_DIRECT,
    USUAL | CAN_DIRECT,
    CAN_EDIT | CAN_ERASE | CAN_DIRECT | CAN_REACT | CAN_POLL | CAN_MENTION | CAN_HANDLES |
        CAN_CLOSE,
};
enum { N_NETWORKS = sizeof networks / sizeof *networks };

/* ---- stories ---- */

static struct languages all;
static struct arena *catalogues;

FIXTURE(setup)
{
    struct err err;
    catalogues = arena_open((size_t)1 << 24);
    return texts_load(STR(""), STR("en"), true, catalogues, &all, &err) ? 0 : -1;
}

FIXTURE(teardown)
{
    arena_close(catalogues);
    return 0;
}

static void play(struct chat_run *p, const char *story)
{
    for (struct str rest = str_of(story), line; rest.n > 0;) {
        line = str_trim(str_cut(rest, '\n', &rest));
        if (str_is(line, STR("auto round")))
            while (chat_harness_auto(p->harness, false))
                ;
        else if (line.n > 0 && !chat_setting(p, line))
            chat_input(p, line);
        p->line_no++;
    }
}

/* The longest part of a sentence without a placeholder. */
static struct str part_of(enum text key)
{
    struct str best = {0}, part, rest = text_form(texts_find(&all, STR("en")), key, PLURAL_OTHER);
    while (rest.n > 0) {
        part = str_cut(rest, '{', &rest);
        best = part.n > best.n ? part : best;
        (void)str_cut(rest, '}', &rest);
    }
    return str_trim(best);
}

static bool contains(struct str text, struct str part)
{
    return part.n > 0 && text.n > 0 && memmem(text.p, text.n, part.p, part.n) != NULL;
}

static bool is_named(const char *list, struct str name)
{
    struct str rest = str_of(list);
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (str_is(w, name))
            return true;
    return false;
}

/* True if this person can read the message. */
static bool reads(const struct sent_message *m, const struct fate *f, struct str who)
{
    if (m->dropped || m->refused || m->held || m->waits ||
        (m->out.kind != OUT_POST && m->out.kind != OUT_ANSWER))
        return false;
    if (str_starts(m->out.chat, STR("dm-")))
        return str_is(str_skip(m->out.chat, 3), who);
    if (m->out.where == TO_CHAT && m->out.kind == OUT_POST)
        return !is_named(f->gone, who);
    return str_is(m->out.to, who);
}

static bool learns(struct chat_harness *s, int from, const struct fate *f, struct str who,
                   struct str phrase, bool calls)
{
    for (int i = from; i < s->n_sent; i++) {
        const struct sent_message *m = &s->sent[i];
        if (reads(m, f, who) && contains(m->out.text, phrase) &&
            (!calls || m->out.notify || m->out.kind == OUT_ANSWER))
            return true;
    }
    return false;
}

static void begin(struct chat_run *p, const struct message_row *m, int network,
                  struct fate const *f)
{
    *p = (struct chat_run){.file = f->name};
    p->harness = chat_harness_open(networks[network]);
    play(p, "alice~ /ping\nbob~ /ping\ncleo~ /ping\nolga~ /ping\n");
    play(p, m->begin);
}

/* Whoever is not in a group types nothing there, nor does a bot that was expelled hear it. */
static bool can_happen(const struct message_row *m, const struct fate *f)
{
    for (struct str rest = str_of(m->line), line; rest.n > 0;) {
        line = str_cut(rest, '\n', &rest);
        const char *end = memchr(line.p, '>', line.n);
        if (end && (strstr(f->lines, "bot leaves") ||
                    is_named(f->gone, (struct str){line.p, (size_t)(end - line.p)})))
            return false;
    }
    return true;
}

/* ---- the tests ---- */

TEST(while_a_way_is_open_it_is_learned)
{
    static struct chat_run p;
    int lost = 0, asked = 0;
    for (int k = 0; k < N_NETWORKS; k++)
        for (int i = 0; i < N_MESSAGES; i++)
            for (int f = 0; f < N_FATES; f++) {
                const struct message_row *m = &messages[i];
                if ((k + i + f) % stride(3, 1) != 0 || !can_happen(m, &fates[f]))
                    continue;
                begin(&p, m, k, &fates[f]);
                int from = p.harness->n_sent;
                play(&p, fates[f].lines);
                play(&p, m->line);
                struct str rest = str_of(m->who),
                           phrase = m->phrase ? str_of(m->phrase) : part_of(m->key),
                           instead = m->instead ? part_of(m->instead) : (struct str){0};
                for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
                    bool group = !fates[f].shut && !is_named(fates[f].gone, w),
                         alone = !is_named(fates[f].blocked, w);
                    if ((!group && !alone) || (m->away && is_named(fates[f].gone, w)))
                        continue;
                    asked++;
                    if (learns(p.harness, from, &fates[f], w, phrase, m->calls) ||
                        learns(p.harness, from, &fates[f], w, instead, m->calls))
                        continue;
                    lost++;
                    print_error("network %d, \"%s\", %s: %.*s does not read \"%.*s\"\n", k, m->line,
                                fates[f].name, STR_ARG(w), STR_ARG(phrase));
                }
                chat_harness_close(p.harness);
            }
    print_message("%d people must learn something\n", asked);
    assert_int_equal(lost, 0);
}

/* A clock ends for those alone who learned of their turn, of the warning and of the end. */
TEST(nobody_loses_by_a_clock_they_were_not_told_of)
{
    static const enum text told[] = {T_TO_MOVE, T_WARNED, T_TIME_UP};
    static const struct message_row in_a_match = {.begin = MATCH};
    static struct chat_run p;
    int ended = 0, lost = 0;
    for (int k = 0; k < N_NETWORKS; k++)
        for (int f = 0; f < N_FATES; f++) {
            struct session s;
            begin(&p, &in_a_match, k, &fates[f]);
            const int from = p.harness->n_sent;
            play(&p, fates[f].lines);
            play(&p, "auto 1\nwait 6h");
            assert_true(chat_harness_session(p.harness, &s));
            const struct str who = str_of(s.player[1].id);
            ended += s.move.overdue;
            for (size_t i = 0; s.move.overdue && i < sizeof told / sizeof *told; i++)
                if (!learns(p.harness, from, &fates[f], who, part_of(told[i]), false) &&
                    (i > 0 || !learns(p.harness, from, &fates[f], who, STR("Your move."), false))) {
                    lost++;
                    print_error("network %d, %s: %.*s was not told: %.*s\n", k, fates[f].name,
                                STR_ARG(who), STR_ARG(part_of(told[i])));
                }
            if (is_named(fates[f].blocked, who) && fates[f].shut)
                assert_false(s.move.overdue);
            else
                assert_true(s.move.overdue);
            chat_harness_close(p.harness);
        }
    assert_true(ended > 0);
    assert_int_equal(lost, 0);
}

/* While the network does not answer, nothing is known to have arrived: the time of whoever is to move
 * does not end, whichever of their ways it is. When all has arrived, it runs. */
TEST(no_time_ends_while_the_network_does_not_answer)
{
    static const struct {
        const char *lines;
        bool shuts_whispers; /* also for those who get their hand in the group */
    } silences[] = {{"hangs tea", true}, {"hangs @bob", false}, {"hangs tea @bob", true}};
    static const struct message_row in_a_match = {.begin = MATCH};
    static const struct fate none = {"nothing", "", false, "", ""};
    static struct chat_run p;
    for (int k = 0; k < N_NETWORKS; k++)
        for (size_t i = 0; i < sizeof silences / sizeof *silences; i++) {
            struct session s;
            const bool whispers = networks[k] & CAN_WHISPER;
            begin(&p, &in_a_match, k, &none);
            play(&p, silences[i].lines);
            play(&p, "auto 1\nwait 6h");
            assert_true(chat_harness_session(p.harness, &s));
            if (s.move.overdue != (whispers && !silences[i].shuts_whispers))
                fail_msg("network %d, %s: overdue %d", k, silences[i].lines, s.move.overdue);
            play(&p, "hangs\nwait 6h");
            assert_true(chat_harness_session(p.harness, &s));
            assert_true(s.move.overdue);
            assert_true(learns(p.harness, 0, &none, STR("bob"), part_of(T_WARNED), false));
            chat_harness_close(p.harness);
        }
}

/* ---- no kind without a row ---- */

static bool has_row(enum notice_kind kind, enum text key)
{
    bool found = false;
    for (int i = 0; i < N_MESSAGES; i++)
        found |= messages[i].kind == kind && messages[i].key == key;
    for (size_t i = 0; i < sizeof needless / sizeof *needless; i++)
        found |= needless[i].kind == kind && needless[i].key == key;
    return found;
}

TEST(each_kind_of_notice_has_a_row)
{
    static const char *const names[] = {
#define PAGE(kind, function, flags, reaction) #kind,
#define PARTS(kind, rows, flags, reaction)    #kind,
#define PLAIN(kind)                           #kind,
#include "notice.def"
    };
    int missing = 0;
    for (int kind = 0; kind < N_NOTICES; kind++)
        if (kind != NOTICE_LINE && !has_row((enum notice_kind)kind, 0)) {
            print_error("NOTICE_%s: no row\n", names[kind]);
            missing++;
        }
    assert_int_equal(missing, 0);
}

/* Calls that say a line to others than who has asked. */
static const char *const sayers[] = {"announce(",    "inform(",     "announce_all(", "ask_player(",
                                     "tell_player(", "go_private(", "TO_HANDLE"};

/* Returns how many keys between here and the end of the statement have no row. */
static int count_in_statement(const char *at, const char *file, int *n)
{
    int missing = 0;
    size_t length = strcspn(at, ";");
    for (const char *p = at; (p = memmem(p, length - (size_t)(p - at), "T_", 2)) != NULL; p += 2) {
        const size_t name = strspn(p + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        for (int key = 0; p[-1] != '_' && !isupper((unsigned char)p[-1]) && key < N_TEXTS; key++)
            if (strlen(text_name((enum text)key)) == name &&
                strncasecmp(text_name((enum text)key), p + 2, name) == 0) {
                *n += 1;
                missing += !has_row(NOTICE_LINE, (enum text)key);
                if (!has_row(NOTICE_LINE, (enum text)key))
                    print_error("%s: T_%.*s: no row\n", file, (int)name, p + 2);
            }
    }
    return missing;
}

TEST(each_line_to_others_has_a_row)
{
    glob_t found;
    struct err err;
    int missing = 0, n = 0;
    assert_int_equal(glob("bot/core/*/*.c", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct str bytes;
        assert_true(file_read(found.gl_pathv[i], 1 << 20, &bytes, &err));
        const char *text = arena_str(catalogues, bytes).p;
        file_free(bytes);
        for (size_t k = 0; k < sizeof sayers / sizeof *sayers; k++)
            for (const char *p = text; (p = strstr(p, sayers[k])) != NULL; p++)
                if (p == text || (!isalpha((unsigned char)p[-1]) && p[-1] != '_'))
                    missing += count_in_statement(p, found.gl_pathv[i], &n);
    }
    globfree(&found);
    print_message("%d lines\n", n);
    assert_true(n > 30);
    assert_int_equal(missing, 0);
}

/* ---- answers ---- */

static bool is_answered(const struct chat_run *p, int from, struct str who)
{
    for (int i = from; i < p->harness->n_sent; i++)
        if (reads(&p->harness->sent[i], &fates[0], who) && p->harness->sent[i].out.text.n > 0)
            return true;
    return false;
}

static bool answers(int network, const char *before, struct str typed)
{
    static const struct message_row in_a_match = {.begin = MATCH};
    static struct chat_run p;
    begin(&p, &in_a_match, network, &fates[0]);
    play(&p, before);
    const int from = p.harness->n_sent;
    play(&p, arena_print(p.harness->arena, "alice> /%.*s", STR_ARG(typed)).p);
    const bool answered = is_answered(&p, from, STR("alice"));
    chat_harness_close(p.harness);
    return answered;
}

/* Commands whose answers are hidden in the group alone, and why. */
static bool is_excused(enum verb verb)
{
    static const struct {
        enum verb verb;
        const char *why;
    } excused[] = {{VERB_TUTORIAL, "a lesson is edited where it stands; in private it begins anew"},
                   {VERB_STATUS, "an operator's: from others it may be for another bot"}};
    bool found = false;
    for (size_t i = 0; i < sizeof excused / sizeof *excused; i++)
        found |= excused[i].verb == verb;
    return found;
}

/* What is answered in a group that takes the answer is answered where the group takes none. */
TEST(answers_to_who_asked)
{
    const struct texts *t = texts_find(&all, STR("en"));
    int lost = 0, n = 0;
    for (int k = 0; k < N_NETWORKS; k++)
        for (int verb = 0; verb < N_COMMANDS; verb++) {
            struct str name = command_name(t, (enum verb)verb, false);
            if ((k + verb) % stride(2, 1) != 0 || name.n == 0 || !answers(k, "", name))
                continue;
            n++;
            if (answers(k, "tea refuses", name) || is_excused((enum verb)verb))
                continue;
            lost++;
            print_error("network %d: /%.*s has no answer\n", k, STR_ARG(name));
        }
    print_message("%d answers\n", n);
    assert_int_equal(lost, 0);
}

TESTS_WITH(setup, teardown)
