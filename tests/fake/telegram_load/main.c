/* Load generator for bots on the fake Telegram: runs the server and the bot, and prints one JSON
 * line of results. See README.md. */
#include "load.h"

#include "fake/telegram/options.h"
#include "fake/telegram/result.h"
#include "fake/telegram/run.h"

static const char program[] = "fake_telegram_load";
static const struct argument *const tables[] = {options_table, load_table, NULL};

int main(int argc, char **argv)
{
    run_open(program, tables, argc, argv);
    if (!load_begin())
        arguments_usage(program, tables);
    run_serve();

    struct text_buffer t = {0};
    result_begin(&t);
    bool good = load_report(&t);
    run_close();
    result_print(&t);
    return good ? 0 : 1;
}
