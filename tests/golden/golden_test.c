/* Golden chats: what people type, and what they read. Every tests/golden/THEME/NAME.chat is one
 * test; one that names kinds of networks is a test on each.
 *
 *     # a remark
 *
 * Settings hold from their line on:
 *
 *     kinds: group matrix                  runs on each of these, see kinds.c
 *     for matrix:                          what follows, up to an empty line, is for it alone
 *     network: buttons edit erase direct popup whisper style mention countdown
 *                                          abilities of the network; default in chat_input.h.
 *                                          short_captions: 240 characters fit under a picture
 *     deal 1: alice 1b 1r; bob 2a; field 3b; stock 4a
 *                                          these cards, the others in canonical order; with a deal
 *                                          line the challenger draws the crane and deals
 *     drawn 1: ann | bo                    the deck that these client seeds draw, whatever the
 *                                          players' are; 0 is the lots
 *     chance: 7                            seed of all other deals; any number
 *     admin: alice
 *     admins: asked                        the network says who is one when it is asked, below
 *     far: dora erik                       people on a second network, whose group is "isle"
 *     far network: edit direct             its abilities; default as above
 *     twins: ali=alice                     ali, of the far network, has alice's id there; after a
 *                                          restart it is a second account of the near one
 *     handles: cleo=bob bob=               @names of people, as the network says; else as they are
 *                                          called here
 *     apps: ann=pl bo=ja                   languages of their apps, as the network says
 *     limit: 300                           of a message, in characters
 *     pace: 20                             of the bot's messages in one chat, a minute
 *     sounds: shown                        a message that makes a sound ends with {rings}
 *     files: embedded                      those of the program, in place of tests/golden/embedded
 *     prefix: !koi                         what commands begin with in groups
 *     commands: plain                      the network knows names of a-z, 0-9 and _ alone
 *     speaks: pl                           adds the catalogue of tests/golden/texts
 *     anonymous: dan                       posts as the group itself
 *     beacon: good                         a public beacon is configured; or its answers are dead,
 *                                          lies, other (rounds), odd
 *
 * Inputs:
 *
 *     alice> /challenge @bob               typed in the group "tea"; alice@den> in the group "den",
 *                                          alice@den/7> in a topic of it,
 *                                          alice@nameless> in a group whose name is unknown
 *     alice> /challenge ~bo                a name that the network found nobody by; ~an=ann,andy: it
 *                                          found these. ~uno_bot: a bot, picked from a list
 *     alice~ /hand                         typed in the private chat; alice@12~ in topic 12 of it,
 *                                          where what follows "to alice/12:" is read
 *     alice queries hand 1                 an inline query
 *     alice posts Challenge: sensei        posts the article whose title begins so; the network
 *     alice posts-unreported Challenge: .. reports it to the bot, or does not
 *     bob presses Accept                   the newest button that begins so and that bob can see
 *     bob presses-old Accept               the same in a topic that the network does not name, since the
 *                                          message is too old
 *     bob taps 3                           the third button of the newest message with buttons
 *     bob reads the rest                   prints the sentences that the chat has not shown
 *     dan copies den Accept                a press of that button from another group, or from
 *                                          "private": a forwarded message, or an app that lies
 *     bob reacts 3 / bob reacts-before 3   a number under the newest private message, or under the
 *                                          one before it
 *     bob reacts yes                       a sign (yes, no, again) under the newest message in a group
 *     bob redacts / mod redacts-as-bot     erases the bot's newest message in a group
 *     bob answers accept                   typed in the group as an answer to the bot
 *     again / repeat                       the last press, as a second update / as the same one
 *     unreachable bob                      the last private message to bob cannot be delivered
 *     bob blocks / bob unblocks            shuts his private chat with the bot, opens it again
 *     wait 3h                              the clock moves, timers fire (s, m, h, d)
 *     away 9h                              the program does not run for so long
 *     the network says who is an admin     to all questions that it was asked
 *     damage 1                             the stored row of match #1 is damaged while the program
 *                                          does not run
 *     mend 1                               and is sound again, and the match is tried again
 *     den refuses / den takes              a group refuses what the bot sends; takes it again
 *     den pauses 1h                        the network asks for a pause there
 *     hangs den @bob                       it does not answer what is sent to den, nor to bob in
 *                                          private; "hangs": it answers, and all arrives
 *     den moves to lair                    the network gives a group another key
 *     restart                              the program ends and starts again
 *     answers lost                         the computer's answers are lost until the next restart
 *     bob floods 60 /ping x                types this so many times in the group
 *     bob plays-on 1 5 0                   presses a page's button at step 5 of the replay of #1: twice the
 *                                          seat, and 1 for a stock dealt anew
 *     bob forges j1.1.1                    presses a button with data that the bot never signed
 *     bot joins den [by ann]               the bot is added to a group
 *     bot leaves den                       the bot is removed from it
 *     bob leaves den                       a person leaves a group
 *     bob returns-to den                   and joins it again
 *     bot rights den / bot deaf den        its rights change there; it cannot read the (encrypted)
 *                                          group that alice invited it to
 *     bot mute den by ann / bot space den by ann   ann invited it: it may not write there; to a space
 *     bot crowded dm-alice                 a third person is in alice's private chat
 *     bot unread den by ann                a message of ann's there cannot be opened
 *     bot unable den by ann                and she reads nothing that is encrypted
 *     bot compare den by ann               ann asks to compare emoji, to trust its device
 *     analysis: TEXT / analysis fails      result of the next hint or review
 *     computer calls                       its next stop becomes koi-koi
 *     auto 5 / auto koikoi 5 / auto end    so many moves by the player to move, without comparing
 *
 * After an input come the messages that the bot sends, exactly:
 *
 *     group: first line                    in a group (den: in another); "group edits:" replaces a
 *         second line                      message. More lines, indented by four
 *         [Accept] [Decline]               its buttons
 *         ...                              any more lines, and any buttons; lines after it are a
 *                                          choice from the rest, in its order
 *     group: <board #1>                    short form of a board, whatever it shows; also for
 *         a line                           <hand #1>, <challenge #1> and, if it equals the stored
 *                                          one, an exported <record>. Lines after it are a choice
 *                                          from the message, in its order
 *     to alice: text                       in her private chat; "alone alice:" is ephemeral
 *     offers alice: title / about          an article, then its text and its button
 *     popup alice: text                    the answer to her press; empty answers are left out
 *     erases ping                          a message is erased
 *     closes posted:4:1                    a message loses its buttons: match #4, its first one
 *     asks about alice                     a question to the network: is she an admin?
 *     ...                                  anything else until the next input
 *
 * "▸ " begins a fold: what follows, to the end of the text, opens at a tap. Hashes and seeds of 64
 * digits are <hash>, the program's version is <version>; numbers before " %" are <n>, since chances
 * change whenever the search improves; a code for people to type is <code>, and <code> in an input
 * is the newest one. Edits without a target message are left out. GOLDEN_SHOW=1 prints what was
 * sent, for writing a new chat: read every line as a player before you keep it.
 *
 * The record of each match that ended is replayed and must hold, unless the chat names cards.
 *
 * The last test is about all chats: every sentence of the catalogue stands in a line that some chat
 * expects.
 */
#include "golden/chat_input.h"
#include "golden/coverage.h"
#include "fixture/scratch.h"
#include "replay.h"

#include <assert.h>
#include <glob.h>
#include <stdlib.h>

enum { MAX_CHATS = 512, MAX_TESTS = 640 };

/* ---- comparing ---- */

static struct str next_line(struct str *rest)
{
    return str_cut(*rest, '\n', rest);
}

static bool is_indented(struct str line)
{
    return str_starts(line, STR("    "));
}

static bool is_expectation(struct str line)
{
    static const char *const heads[] = {
        "group: ",       "group edits: ", "den: ",        "den edits: ", "den/7: ",
        "den/7 edits: ", "lair: ",        "lair edits: ", "nameless: ",  "isle: ",
        "isle edits: ",  "to ",           "alone ",       "popup ",      "erases ",
        "closes ",       "asks about ",   "offers ",      "..."};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (str_starts(line, str_of(heads[i])))
            return true;
    return is_indented(line);
}

static void fail_difference(const struct chat_run *p, struct str wanted, struct str found)
{
    print_error("%s:%d\n  wanted: %.*s\n  found:  %.*s\n  all that was sent:\n%.*s", p->file,
                p->line_no, STR_ARG(wanted), STR_ARG(found), (int)p->sent.n, p->sent.text);
    fail();
}

static void skip_indented(struct str *found)
{
    while (found->n > 0 && is_indented(*found))
        (void)next_line(found);
}

/* Finds a chosen line in the rest of the message. Lines that are skipped leave a gap in the
 * coverage, so that no sentence is counted across it. */
static void compare_choice(const struct chat_run *p, struct str wanted, struct str *found)
{
    for (;;) {
        if (found->n == 0 || !is_indented(*found))
            fail_difference(p, wanted, STR("(not in the rest of this message)"));
        struct str line = next_line(found);
        coverage_line(str_is(line, wanted) ? line : STR("(skipped)"));
        if (str_is(line, wanted))
            return;
    }
}

/* Compares the chat's expectations from here on with the transcript. */
static void compare_with_transcript(struct chat_run *p)
{
    struct str found = {p->sent.text, p->sent.n};
    bool brief = false; /* inside a message given by its short form, or behind "    ..." */
    for (;;) {
        struct str ahead = p->rest, wanted = next_line(&ahead);
        if (p->rest.n == 0 || (!is_expectation(wanted) && wanted.n > 0 && wanted.p[0] != '#'))
            break;
        p->rest = ahead;
        p->line_no++;
        if (wanted.n == 0 || wanted.p[0] == '#')
            continue;
        if (str_is(wanted, STR("    ..."))) { /* a choice from here on */
            brief = true;
            continue;
        }
        if (brief && is_indented(wanted)) {
            compare_choice(p, wanted, &found);
            continue;
        }
        if (brief)
            skip_indented(&found);
        brief = false;
        if (str_is(wanted, STR("..."))) {
            found = (struct str){0};
            continue;
        }
        struct str line = next_line(&found);
        while (!str_is(line, wanted) && is_indented(line) && coverage_is_untranslated(line))
            line = next_line(&found);
        brief = transcript_is_brief(&p->sent, line.p, wanted);
        if (!brief && !str_is(line, wanted))
            fail_difference(p, wanted, line);
        coverage_line(brief ? wanted : line);
    }
    if (brief)
        skip_indented(&found);
    if (found.n > 0)
        fail_difference(p, STR("(nothing more)"), next_line(&found));
    coverage_count();
}

/* ---- one chat ---- */

/* Hashes and seeds stand behind a fold, or answer who asks for them. */
static bool asks_for_codes(struct str line)
{
    static const char *const names[] = {"/verify", "/prüfen", "/vérifier"};
    bool asks = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        asks |= memmem(line.p, line.n, names[i], strlen(names[i])) != NULL;
    return asks;
}

static void run_chat(struct chat_run *p, bool show)
{
    while (p->rest.n > 0) {
        struct str line = next_line(&p->rest);
        p->line_no++;
        if (show && !is_expectation(line))
            printf("%.*s\n", STR_ARG(line));
        if (line.n == 0 || line.p[0] == '#' || chat_setting(p, line) ||
            (show && is_expectation(line)))
            continue;
        if (is_expectation(line))
            fail_msg("%s:%d: expectation before the first input", p->file, p->line_no);
        chat_input(p, line);
        transcript_take(&p->sent, p->harness);
        if (p->sent.has_code && !asks_for_codes(line))
            fail_msg("%s:%d: a hash or a seed stands outside a fold", p->file, p->line_no);
        if (!show)
            compare_with_transcript(p);
        else if (!str_starts(p->rest, STR("...\n")))
            printf("%.*s", (int)p->sent.n, p->sent.text);
        else
            printf("...\n");
    }
}

/* Replays the records of the matches that ended, unless the chat names cards: then no seed leads to
 * them. */
static void replay_records(const struct chat_run *p)
{
    enum { SESSIONS = 40 };
    for (int no = 1; no <= SESSIONS && p->harness->n_deals == 0; no++) {
        struct str record = store_record(p->harness->store, p->harness->arena, no);
        struct err err = {""};
        int line = 0;
        if (!memmem(record.p, record.n, "\"match_end\"", 11))
            continue;
        if (!replay_record(record, NULL, &line, &err))
            fail_msg("%s: record of #%d, line %d: %s", p->file, no, line, err.text);
    }
}

static char *read_chat(const char *path)
{
    static char bytes[256 * 1024];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes - 1, f);
    assert_true(n < sizeof bytes - 1);
    bytes[n] = '\0';
    fclose(f);
    return bytes;
}

/* A chat, on a kind of network if it names some. */
struct chat_on {
    const char *path;
    const struct kind *kind;
    char name[160];
};

static void chat_holds(void **state)
{
    static struct chat_run p;
    const struct chat_on *it = *state;
    char *bytes = read_chat(it->path);
    memset(&p, 0, sizeof p);
    p.file = it->path;
    p.kind = it->kind;
    p.rest = str_of(bytes);
    coverage_begin();
    p.harness = chat_harness_open(DEFAULT_CAN);
    if (p.kind) {
        kind_take(p.kind, bytes, p.file);
        kind_open(p.kind, &p.harness->accounts[0]);
    }
    run_chat(&p, getenv("GOLDEN_SHOW") != NULL);
    replay_records(&p);
    chat_harness_close(p.harness);
}

static void every_sentence_is_shown(void **state)
{
    (void)state;
    assert_int_equal(coverage_missing(), 0);
}

/* ---- all chats ---- */

int main(int argc, char **argv)
{
    static char *paths[MAX_CHATS];
    static struct chat_on on[MAX_TESTS];
    static struct CMUnitTest tests[MAX_TESTS + 1];
    int n = 0, n_tests = 0;
    assert(argc <= MAX_CHATS);
    for (int i = 1; i < argc; i++)
        paths[n++] = argv[i];
    bool all = n == 0;
    glob_t found = {0};
    if (all) {
        glob("tests/golden/*.chat", 0, NULL, &found);
        glob("tests/golden/*/*.chat", GLOB_APPEND, NULL, &found);
    }
    assert(found.gl_pathc <= MAX_CHATS); /* a chat that is left out would count as passed */
    for (size_t i = 0; i < found.gl_pathc; i++)
        paths[n++] = found.gl_pathv[i];
    if (n == 0) {
        fprintf(stderr, "golden_test: tests/golden: expected *.chat files, found none\n");
        return 1;
    }
    for (int i = 0; i < n; i++) {
        const struct str chat = str_of(read_chat(paths[i]));
        const struct kind *kind = kind_of_chat(chat, 0);
        for (int k = 0; k == 0 || kind; kind = kind_of_chat(chat, ++k)) {
            struct chat_on *it = &on[n_tests];
            assert(n_tests < MAX_TESTS);
            *it = (struct chat_on){paths[i], kind, ""};
            snprintf(it->name, sizeof it->name, "%s%s%s", paths[i], kind ? " on " : "",
                     kind ? kind->name : "");
            tests[n_tests++] = (struct CMUnitTest){it->name, chat_holds, NULL, NULL, it};
        }
    }
    if (all)
        tests[n_tests++] = (struct CMUnitTest){"every sentence is shown", every_sentence_is_shown,
                                               NULL, NULL, NULL};
    int failed = _cmocka_run_group_tests("golden chats", tests, (size_t)n_tests, NULL, NULL);
    globfree(&found);
    return failed;
}
