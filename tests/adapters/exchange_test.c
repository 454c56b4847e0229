/* Adapters by recorded exchanges: what a network said, what we make of it, and what we ask in return, to
 * the byte. The files .exchange in tests/adapters/NAME are the tests of that network; README.md has the
 * language.
 *
 *     exchange_test [--write] [FILE...]     --write: takes what the program does now as expected,
 *                                           to be read before it is kept */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>

#include "adapters/account.h"
#include "adapters/exchange.h"
#include "stride.h"

enum { MOST_ROWS = 8 };

struct row_sent { /* a row on its way */
    struct str name;
    struct outgoing out;
    struct button button[8];
    struct article article[4];
    bool open;
};

/* A run of one test. */
static struct {
    struct exchanges *of;
    struct arena *a, *turn; /* turn: of a poll, a send and their answers */
    void *account;
    struct str cursor, kept, raw; /* raw: of the first update of the last batch */
    bool names_content;           /* of that batch: each update, beside its id */
    int64_t now;
    struct request request;
    enum { NOTHING, POLLED, BESIDE, SENDING, EXAMINED, PROVING } last;
    struct proving proving;
    struct row_sent row[MOST_ROWS], *sending;
    int n_rows;
    struct menu_entry menu[16];
    int n_menu;
    struct menu_lists lists;
    bool was_open;
    struct text_buffer *out;
} run;

static bool writing; /* --write */

/* ---- writing ---- */

/* One line of what the program does. */
static void tell(struct text_buffer *t)
{
    exchange_shorten(run.of, run.out, (struct str){t->p, t->n});
    txt_put(run.out, "\n");
    txt_free(t);
}

/* The next word of what follows a verb. */
static struct str word_of(struct str *rest)
{
    return next_word(run.a, rest);
}

static _Noreturn void wrong(const char *what, struct str about)
{
    exchange_wrong(run.of, what, about);
}

static const struct header *header_of(const struct request *r, struct str name)
{
    for (int i = 0; i < r->n_headers; i++)
        if (str_is(r->headers[i].name, name))
            return &r->headers[i];
    return NULL;
}

static void tell_request(const struct request *r)
{
    struct text_buffer t = {0};
    if (r->kind != REQUEST_HTTP) {
        txt_print(&t, "  > %s", request_kinds[r->kind]);
        tell(&t);
        return;
    }
    struct request usual = run.of->usual_request;
    if (r->url.n > r->what.n && str_is(str_skip(r->url, r->url.n - r->what.n), r->what))
        usual.what = r->what;
    txt_print(&t, "  > %s ", r->method);
    put_visible(&t, r->url, false);
    put_fields(&t, request_fields, r, &usual);
    tell(&t);
    for (int i = 0; i < r->n_headers; i++) {
        const struct header *u = header_of(&usual, r->headers[i].name);
        if (u && str_is(u->value, r->headers[i].value))
            continue;
        txt_print(&t, "    %.*s: %.*s", STR_ARG(r->headers[i].name), STR_ARG(r->headers[i].value));
        tell(&t);
    }
    for (int i = 0; i < usual.n_headers; i++)
        if (!header_of(r, usual.headers[i].name) &&
            (r->body.n > 0 || !str_is(usual.headers[i].name, STR("Content-Type")))) {
            txt_print(&t, "    no %.*s", STR_ARG(usual.headers[i].name));
            tell(&t);
        }
    for (int i = 0; i < r->n_parts; i++) {
        const struct part *p = &r->parts[i];
        txt_print(&t, "    %.*s%s%.*s%s%.*s = ", STR_ARG(p->name), p->file.n ? " " : "",
                  STR_ARG(p->file), p->type.n ? " " : "", STR_ARG(p->type));
        put_visible(&t, p->bytes, false);
        tell(&t);
    }
    if (r->body.n > 0) {
        txt_put(&t, "    ");
        put_visible(&t, r->body, false);
        tell(&t);
    }
}

static void put_senders(struct text_buffer *t, const char *name, const struct sender *at, int n)
{
    static const struct sender none;
    for (int i = 0; i < n; i++) {
        txt_print(t, " %s(", name);
        put_fields(t, sender_fields, &at[i], &none);
        txt_put(t, " )");
    }
}

static void tell_batch(bool good, const struct batch *b, const struct err *err)
{
    static const struct batch none;
    struct text_buffer t = {0};
    if (!good) {
        txt_print(&t, "  fails: %s", err->text);
        tell(&t);
    }
    for (int i = 0; i < b->n; i++) {
        struct update usual = run.of->usual;
        usual.kind = b->at[i].kind;
        txt_print(&t, "  %s", update_kinds[usual.kind]);
        put_fields(&t, update_fields, &b->at[i], &usual);
        put_senders(&t, "mention", b->at[i].mention, b->at[i].n_mentions);
        put_senders(&t, "choice", b->at[i].choice, b->at[i].n_choices);
        tell(&t);
    }
    run.raw = b->n > 0 ? arena_str(run.a, b->at[0].raw) : STR("");
    run.names_content = b->n > 0;
    for (int i = 0; i < b->n; i++)
        run.names_content &= b->at[i].what == update_content(&b->at[i]);
    struct batch seen = *b;
    if (run.of->hides_cursor)
        seen.cursor = STR("");
    txt_put(&t, "  batch");
    put_fields(&t, batch_fields, &seen, &none);
    if (t.n > strlen("  batch") || b->n == 0)
        tell(&t);
    txt_free(&t);
}

static void tell_receipt(const struct receipt *r)
{
    struct receipt usual = {.kind = r->kind};
    struct text_buffer t = {0};
    txt_print(&t, "  %s", receipt_kinds[r->kind]);
    put_fields(&t, receipt_fields, r, &usual);
    tell(&t);
}

/* ---- the verbs of an exchange ---- */

static void close_account(void)
{
    if (run.account && run.was_open)
        run.of->row->close(run.account);
    run.account = NULL;
}

static void do_open(struct str rest, bool keeps)
{
    const char *options[32];
    int n = 0;
    struct err err = {""};
    uint32_t can = run.of->row->can;
    struct limits limits = run.of->row->limits;
    close_account();
    if (!keeps)
        run.cursor = STR("");
    for (; n < run.of->n_options; n++)
        options[n] = run.of->option[n];
    for (struct str word; n < 31 && (word = word_of(&rest)).n > 0;)
        options[n++] = arena_str(run.a, word).p;
    options[n] = NULL;
    run.account = test_account(run.a, run.of->row, options);
    if (!run.of->row->configured(run.account)) {
        txt_put(run.out, "  is not configured\n");
        return;
    }
    run.was_open = run.of->row->open(run.account, run.a, &can, &limits, &err);
    struct text_buffer t = {0};
    if (!run.was_open)
        txt_print(&t, "  fails: %s", err.text);
    for (int i = 0; abilities[i] && run.was_open; i++)
        if ((run.of->row->can ^ can) & 1u << i)
            txt_print(&t, "%s %s%s", t.n ? "" : " ", can & 1u << i ? "" : "no-", abilities[i]);
    if (run.was_open && limits.per_chat_minute != run.of->row->limits.per_chat_minute)
        txt_print(&t, "%s pace=%d,%d", t.n ? "" : " ", limits.per_chat_minute,
                  limits.account_per_second_x100);
    if (t.n)
        tell(&t);
}

static void do_poll(struct str rest)
{
    if (rest.n > 0)
        run.cursor = rest;
    run.request = (struct request){0};
    run.of->row->poll(run.account, run.turn, run.cursor, &run.request);
    run.last = POLLED;
    tell_request(&run.request);
}

static void do_beside(struct str rest)
{
    (void)rest;
    run.request = (struct request){0};
    run.last = BESIDE;
    if (run.of->row->beside(run.account, run.turn, &run.request))
        tell_request(&run.request);
    else
        txt_put(run.out, "  nothing\n");
}

static void send_row(void)
{
    run.request = (struct request){0};
    run.of->row->send(run.account, run.turn, &run.sending->out, &run.request);
    run.last = SENDING;
    tell_request(&run.request);
}

static struct row_sent *row_named(struct str name)
{
    for (int i = 0; i < run.n_rows; i++)
        if (str_is(run.row[i].name, name))
            return &run.row[i];
    return NULL;
}

/* Fields of a message, and its buttons and articles: button(label=... data=...). */
static void set_message(struct row_sent *s, struct str rest)
{
    for (struct str word; (word = word_of(&rest)).n > 0;) {
        if (str_is(word, STR("button")) || str_is(word, STR("article"))) {
            bool button = word.p[0] == 'b';
            struct button *b = &s->button[s->out.n_buttons];
            struct article *a = &s->article[s->out.n_articles];
            while ((word = word_of(&rest)).n > 0 && !str_is(word, STR(";"))) {
                int style = 0;
                while (button && styles[style] && !str_is(word, str_of(styles[style])))
                    style++;
                if (button && styles[style])
                    b->style = (uint8_t)style;
                else if (!set_field(button ? button_fields : article_fields,
                                    button ? (void *)b : (void *)a, word))
                    wrong("no field", word);
            }
            *(button ? &s->out.n_buttons : &s->out.n_articles) += 1;
        } else if (!set_field(outgoing_fields, &s->out, word)) {
            wrong("no field", word);
        }
    }
    s->out.buttons = s->button;
    s->out.articles = s->article;
}

static void do_send(struct str rest)
{
    struct str name = STR(""), tail, word = word_of(&(struct str){rest.p, rest.n});
    if (word.n > 1 && word.p[word.n - 1] == ':') {
        name = (struct str){word.p, word.n - 1};
        (void)word_of(&rest);
    }
    tail = str_trim(rest);
    run.sending = row_named(name);
    if (!run.sending) {
        assert_true(run.n_rows < MOST_ROWS);
        run.sending = &run.row[run.n_rows++];
        *run.sending = (struct row_sent){.name = name};
    }
    if (tail.n > 0) {
        struct str keep = run.sending->name;
        *run.sending = (struct row_sent){.name = keep, .out = run.of->usual_out};
        set_message(run.sending, tail);
    }
    send_row();
}

/* Changes the row of the last send, and sends it again. */
static void do_set(struct str rest)
{
    set_message(run.sending, rest);
    send_row();
}

/* A row whose request was sent before. */
static void do_given(struct str rest)
{
    run.n_rows = 1;
    run.sending = &run.row[0];
    *run.sending = (struct row_sent){.out = run.of->usual_out};
    set_message(run.sending, rest);
    run.last = SENDING;
}

static void tell_findings(const struct findings *found)
{
    static const char *const kinds[] = {"fine", "advice", "wrong"};
    struct text_buffer t = {0};
    for (int i = 0; i < found->n; i++) {
        txt_print(&t, "  %s: %.*s", kinds[found->at[i].found], STR_ARG(found->at[i].text));
        tell(&t);
    }
    if (found->wait_ms) {
        txt_print(&t, "  wait_ms=%lld", (long long)found->wait_ms);
        tell(&t);
    }
}

static struct reply read_reply(struct str rest)
{
    struct reply r = {.retry_after_ms = -1, .now = run.now};
    int64_t status = 0;
    if (!str_int(word_of(&rest), &status))
        wrong("expected a status", rest);
    r.status = (int)status;
    for (struct str after = rest; set_field(reply_fields, &r, word_of(&after)); rest = after) {}
    r.body = str_trim(rest);
    return r;
}

static void do_examine(struct str rest)
{
    struct findings found = {0};
    (void)rest;
    run.request = (struct request){0};
    run.of->row->examine(run.account, run.a, NULL, &run.request, &found);
    run.last = EXAMINED;
    tell_request(&run.request);
}

/* Whose the bytes of a browser are, once the network has answered what is asked for that. */
static void prove(void)
{
    static const struct proof none;
    struct proof proof = {0};
    struct text_buffer t = {0};
    enum proved proved = run.of->row->prove(run.account, run.a, &run.proving, &proof);
    run.last = NOTHING;
    if (proved == PROVED_ASK) {
        run.last = PROVING;
        tell_request(&proof.ask);
        return;
    }
    txt_print(&t, "  %s", proved == PROVED ? "proved" : "not proved");
    if (proved == PROVED)
        put_fields(&t, sender_fields, &proof.who, &none.who);
    txt_put(&t, proof.confirm ? " confirm" : "");
    tell(&t);
}

static void do_prove(struct str bytes)
{
    run.proving = (struct proving){.bytes = bytes, .now = run.now};
    prove();
}

static void do_answer(struct str rest)
{
    const struct adapter *row = run.of->row;
    struct reply reply = read_reply(rest);
    struct err err = {""};
    if (run.last == PROVING) {
        run.proving.reply = &reply;
        run.proving.answers++;
        prove();
    } else if (run.last == EXAMINED) {
        struct findings found = {0};
        run.request = (struct request){0};
        row->examine(run.account, run.a, &reply, &run.request, &found);
        tell_findings(&found);
        tell_request(&run.request);
    } else if (run.last == POLLED || run.last == BESIDE) {
        struct batch b = {0};
        bool good = run.last == POLLED ? row->read(run.account, run.turn, &reply, &b, &err)
                                       : row->beside_read(run.account, run.turn, &reply, &b, &err);
        if (good && b.cursor.n > 0)
            run.cursor = arena_str(run.a, b.cursor);
        tell_batch(good, &b, &err);
    } else if (run.last == SENDING) {
        struct receipt r = {0};
        row->receipt(run.account, run.turn, &run.sending->out, &reply, &r);
        if (r.kind == MORE)
            run.sending->out.progress = arena_str(run.a, r.progress);
        tell_receipt(&r);
    } else {
        wrong("an answer to nothing", rest);
    }
}

/* A poll and its answer, of which the updates alone are told. Matrix: once more if the adapter asks
 * for the names that are missing in it. */
static void do_hear(struct str body)
{
    struct reply reply = {.status = 200, .retry_after_ms = -1, .now = run.now, .body = body};
    struct err err = {""};
    struct batch b;
    for (int i = 0; i < 2; i++) {
        b = (struct batch){0};
        run.of->row->poll(run.account, run.turn, run.cursor, &run.request);
        if (i > 0 && !memmem(run.request.url.p, run.request.url.n, "members%22%3Atrue", 17))
            break;
        bool good = run.of->row->read(run.account, run.turn, &reply, &b, &err);
        bool held = good && (b.cursor.n == 0 || str_is(b.cursor, run.cursor));
        if (b.cursor.n > 0)
            run.cursor = arena_str(run.a, b.cursor);
        if (!held) {
            tell_batch(good, &b, &err);
            return;
        }
    }
    tell_batch(true, &b, &err);
}

/* A poll and an answer that is large, in the memory that the daemon has for a turn. Prints only
 * the number of updates. */
static void do_flood(struct str body)
{
    enum { TURN_BYTES = 512 * 1024 * 1024, SECONDS = 20 };
    struct text_buffer got = {0}, *was = run.out, t = {0};
    clock_t begun = clock();
    int n = 0;
    run.turn = arena_open(TURN_BYTES);
    run.out = &got;
    do_hear(body);
    for (const char *line = got.p; line; line = strchr(line + 1, '\n'))
        n += strncmp(line + (*line == '\n'), "  text ", 7) == 0;
    run.out = was;
    if (strstr(got.p, "  fails: "))
        wrong("a flood is read", body);
    if (clock() - begun > SECONDS * CLOCKS_PER_SEC)
        txt_put(&t, "  took too long");
    else
        txt_print(&t, "  %d updates, %s bytes of cursor", n,
                  run.cursor.n < 64 * 1024 ? "few" : "many");
    tell(&t);
    arena_close(run.turn);
    run.turn = run.a;
    txt_free(&got);
}

/* An answer to a row that is not the last one: "to NAME: STATUS BODY". */
static void do_answer_to(struct str rest)
{
    struct str name = word_of(&rest);
    run.sending = row_named((struct str){name.p, name.n - 1});
    run.last = SENDING;
    do_answer(rest);
}

static void do_hook(struct str rest)
{
    struct reply reply = {.status = 200, .retry_after_ms = -1, .now = run.now, .body = rest};
    struct batch b = {0};
    struct err err = {""};
    bool good = run.of->row->webhook_read(run.account, run.turn, &reply, &b, &err);
    tell_batch(good, &b, &err);
}

static void do_webhook(struct str rest)
{
    struct webhook w;
    struct text_buffer t = {0};
    (void)rest;
    if (run.of->row->webhook(run.account, &w))
        txt_print(&t, "  %.*s %s: %.*s", STR_ARG(w.path), w.header, STR_ARG(w.secret));
    else
        txt_put(&t, "  none");
    tell(&t);
}

/* The languages of the entries, in the order in which they come. */
static const struct menu_entry *menu_list(void *arg, int list, int *ret_n)
{
    static struct menu_entry found[16];
    struct str language = run.menu[0].language;
    (void)arg;
    for (int i = 0; i < run.n_menu && list > 0; i++)
        if (!str_is(run.menu[i].language, language)) {
            language = run.menu[i].language;
            list--;
        }
    *ret_n = 0;
    for (int i = 0; i < run.n_menu; i++)
        if (str_is(run.menu[i].language, language))
            found[(*ret_n)++] = run.menu[i];
    return found;
}

static void do_menu(struct str rest)
{
    struct menu_entry *e = &run.menu[run.n_menu++];
    *e = (struct menu_entry){0};
    for (struct str word; (word = word_of(&rest)).n > 0;)
        if (!set_field(menu_fields, e, word))
            wrong("no field", word);
    struct str first = run.menu[0].language;
    run.lists = (struct menu_lists){1, menu_list, NULL}; /* and one more language at most */
    for (int i = 0; i < run.n_menu && run.lists.n_lists == 1; i++)
        run.lists.n_lists += !str_is(run.menu[i].language, first);
    run.of->row->menu(run.account, &run.lists);
}

static void do_can(struct str chat)
{
    uint32_t all = run.of->row->can, can = run.of->row->can_in(run.account, chat, all);
    struct text_buffer t = {0};
    txt_put(&t, " ");
    for (int i = 0; abilities[i]; i++)
        if ((can ^ all) & 1u << i)
            txt_print(&t, " %s%s", can & 1u << i ? "" : "no-", abilities[i]);
    txt_put(&t, t.n == 1 ? " as usual" : "");
    tell(&t);
}

static void do_self(struct str rest)
{
    struct str name = STR(""), link = STR("");
    struct text_buffer t = {0};
    (void)rest;
    if (run.of->row->self(run.account, run.a, &name, &link))
        txt_print(&t, "  %.*s %.*s", STR_ARG(name), STR_ARG(link));
    else
        txt_put(&t, "  unknown");
    tell(&t);
}

static void do_clock(struct str rest)
{
    int64_t ms = 0;
    if (!str_int(rest, &ms))
        wrong("expected milliseconds", rest);
    run.now += ms;
}

/* Shows the cursor; "keep" and "swap": as if what is stored since then was not. */
static void do_cursor(struct str rest)
{
    struct text_buffer t = {0};
    if (rest.n > 0) {
        struct str now = run.cursor;
        if (str_is(rest, STR("swap")))
            run.cursor = run.kept;
        run.kept = now;
        return;
    }
    txt_put(&t, "  ");
    put_visible(&t, run.cursor, false);
    tell(&t);
}

static void do_content(struct str rest)
{
    struct text_buffer t = {0};
    (void)rest;
    txt_put(&t, run.names_content ? "  named" : "  not named");
    tell(&t);
}

static void do_raw(struct str rest)
{
    struct text_buffer t = {0};
    (void)rest;
    txt_put(&t, "  ");
    put_value(&t, run.raw);
    tell(&t);
}

/* Replaces a text in the stored cursor. */
static void do_store(struct str rest)
{
    struct str from = word_of(&rest), to = word_of(&rest);
    const char *at =
        from.n <= run.cursor.n ? memmem(run.cursor.p, run.cursor.n, from.p, from.n) : NULL;
    if (!at)
        wrong("not in the cursor", from);
    size_t head = (size_t)(at - run.cursor.p);
    run.cursor = arena_print(run.a, "%.*s%.*s%.*s", (int)head, run.cursor.p, STR_ARG(to),
                             STR_ARG(str_skip(run.cursor, head + from.n)));
}

static void do_open_new(struct str rest)
{
    do_open(rest, false);
}

static void do_restart(struct str rest)
{
    do_open(rest, true);
}

static const struct {
    const char *word;
    void (*act)(struct str rest);
} verbs[] = {
    {"open", do_open_new},   {"restart", do_restart}, {"poll", do_poll},
    {"<", do_answer},        {"send", do_send},       {"set", do_set},
    {"given", do_given},     {"to", do_answer_to},    {"hook", do_hook},
    {"hear", do_hear},       {"flood", do_flood},     {"webhook", do_webhook},
    {"menu", do_menu},       {"can", do_can},         {"self", do_self},
    {"clock", do_clock},     {"cursor", do_cursor},   {"store", do_store},
    {"examine", do_examine}, {"raw", do_raw},         {"content", do_content},
    {"beside", do_beside},   {"prove", do_prove},
};

static void act(struct str line);

/* The lines of a macro, with what follows its name in the place of $1; $a is its first word, $b the
 * rest. */
static void play_macro(const struct macro *m, struct str rest)
{
    struct str b = rest, word = str_word(&b), part;
    b = str_trim(b);
    for (int i = m->first; i < m->last; i++) {
        struct str line = str_trim(str_of(run.of->line[i]));
        struct text_buffer t = {0};
        for (size_t k = 0; k < line.n; k++) {
            char c = line.p[k] == '$' && k + 1 < line.n ? line.p[k + 1] : '\0';
            part = c == '1' ? rest : c == 'a' ? word : c == 'b' ? b : (struct str){line.p + k, 1};
            txt_add(&t, part.p, part.n);
            k += c == '1' || c == 'a' || c == 'b';
        }
        struct str made = arena_str(run.a, (struct str){t.p, t.n});
        txt_free(&t);
        act(made);
    }
}

/* "-" ahead of a line: what comes of it is not told. */
static void act(struct str line)
{
    struct text_buffer unheard = {0}, *was = run.out;
    bool silent = line.n > 0 && line.p[0] == '-';
    struct str rest = silent ? str_skip(line, 1) : line, word = str_word(&rest);
    if (silent)
        run.out = &unheard;
    for (int i = 0; i < run.of->n_macros; i++)
        if (str_is(run.of->macro[i].name, word)) {
            play_macro(&run.of->macro[i], str_trim(rest));
            word = STR("");
        }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs && word.n; i++)
        if (str_is(str_of(verbs[i].word), word)) {
            verbs[i].act(exchange_expand(run.of, run.a, str_trim(rest)));
            word = STR("");
        }
    if (word.n)
        wrong("no such verb", word);
    run.out = was;
    txt_free(&unheard);
}

/* ---- playing ---- */

/* A test's lines, and below each what comes of it: equal to those of the file. */
static void play(void **state)
{
    const struct test *test = *state;
    struct exchanges *of = test->of;
    struct text_buffer got = {0};
    memset(&run, 0, sizeof run);
    run.of = of;
    run.a = run.turn = arena_open((size_t)2 << 30);
    run.now = of->now;
    run.out = &got;
    txt_print(&of->made, "%s\n", of->line[test->first - 1]);
    act(arena_print(run.a, "-%.*s", STR_ARG(test->setup)));
    for (int i = test->first; i < test->last; i++) {
        struct str line = str_of(of->line[i]);
        if (line.n > 0 && line.p[0] == ' ')
            continue;
        txt_print(&of->made, "%s\n", of->line[i]);
        if (line.n == 0 || line.p[0] == '#')
            continue;
        of->at = i + 1;
        got.n = 0;
        txt_put(&got, "");
        struct text_buffer wanted = {0};
        txt_put(&wanted, "");
        for (int k = i + 1; k < test->last && of->line[k][0] == ' '; k++)
            txt_print(&wanted, "%s\n", of->line[k]);
        if (line.p[0] != '+')
            act(line);
        else if (stride(0, 1))
            act(str_skip(line, 1));
        else
            txt_put(&got, wanted.p);
        txt_put(&of->made, got.p);
        if (!writing && strcmp(got.p, wanted.p) != 0)
            print_error("%s:%d: %s\ngot\n%sexpected\n%s", of->path, of->at, of->line[i], got.p,
                        wanted.p);
        if (!writing)
            assert_string_equal(got.p, wanted.p);
        txt_free(&wanted);
    }
    txt_free(&got);
    close_account();
    arena_close(run.a);
}

int main(int argc, char **argv)
{
    static struct test tests[MOST_TESTS];
    static struct CMUnitTest units[MOST_TESTS];
    writing = argc > 1 && strcmp(argv[1], "--write") == 0;
    glob_t found = {0};
    int n = 0;
    struct arena *a = arena_open(64 << 20);
    for (int i = 1 + writing; i < argc; i++)
        glob(argv[i], i > 1 + writing ? GLOB_APPEND : 0, NULL, &found);
    if (argc == 1 + writing)
        glob("tests/adapters/*/*.exchange", 0, NULL, &found);
    struct exchanges *files = calloc(found.gl_pathc, sizeof *files);
    for (size_t i = 0; i < found.gl_pathc; i++)
        n = exchange_read(a, &files[i], found.gl_pathv[i], tests, n);
    for (int i = 0; i < n; i++) {
        const struct exchanges *f = tests[i].of;
        char *name = NULL;
        if (asprintf(&name, "%s: %s", f->path + strlen("tests/adapters/"),
                     f->line[tests[i].first - 1] + 3) < 0)
            return 1;
        units[i] = (struct CMUnitTest){name, play, NULL, NULL, &tests[i]};
    }
    int failed = _cmocka_run_group_tests("exchange", units, (size_t)n, NULL, NULL);
    for (size_t i = 0; i < found.gl_pathc && writing; i++)
        exchange_write(&files[i], tests, n);
    for (size_t i = 0; i < found.gl_pathc; i++)
        txt_free(&files[i].made);
    globfree(&found);
    arena_close(a);
    free(files);
    for (int i = 0; i < n; i++)
        free((char *)units[i].name);
    return failed;
}
