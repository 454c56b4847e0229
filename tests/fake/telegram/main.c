/* Fake Telegram Bot API server: serves, or plays stories with a bot and prints one JSON line of
 * results. See README.md. */
#include "api.h"
#include "fake/telegram/bot/child.h"
#include "fake/telegram/story/play.h"
#include "options.h"
#include "result.h"
#include "run.h"

#include <stdio.h>

static int person;
static const struct argument table[] = {
    {"open", IS_INT, &person,
     "only serve, with this person's private chat open, and a group of the same number"},
    {NULL, IS_FLAG, NULL, NULL},
};
static const struct argument *const tables[] = {options_table, play_table, table, NULL};

static void nothing(void) {}

static void nothing_handed(uint32_t tag, int64_t now)
{
    (void)tag, (void)now;
}

static void nothing_said(struct tg_chat *c, struct tg_message *m, const char *text)
{
    (void)c, (void)m, (void)text;
}

static void nothing_answered(struct tap *t)
{
    (void)t;
}

/* Serves alone, without story or load. */
static void serve_begin(void)
{
    world_keeps = true;
    hooks = (struct hooks){nothing, nothing_handed, nothing_said, nothing_answered};
    if (person) {
        world_person_new((struct tg_person){person, "Somebody", "", "en", true, false, false});
        world_chat_new(person, CHAT_PRIVATE, "Somebody");
        world_chat_new(-person, CHAT_GROUP, "Everybody")->bot = BOT_ADMIN;
    }
    printf("http://127.0.0.1:%d\n", wire_port());
    fflush(stdout);
}

int main(int argc, char **argv)
{
    run_open("fake_telegram", tables, argc, argv);
    bool story = play_begin();
    if (!story)
        serve_begin();
    run_serve();

    struct text_buffer t = {0};
    result_begin(&t);
    bool good = story && play_report(&t);
    run_close();
    result_print(&t);
    return good ? 0 : 1;
}
