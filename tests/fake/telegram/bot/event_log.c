/* See event_log.h. Each line is flushed: what kills the bot may end this process too. */
#include "event_log.h"

#include "fake/telegram/options.h"
#include "fake/telegram/http/wire.h"

static FILE *file;
static int64_t begun;

void event_log_begin(void)
{
    begun = wire_now();
    if (opt.event_log && !(file = fopen(opt.event_log, "w"))) {
        perror(opt.event_log);
        exit(2);
    }
}

static void put_text(struct text_buffer *t, const char *name, const char *value)
{
    text_print(t, ",\"%s\":", name);
    text_json(t, value);
}

static struct text_buffer line(const char *kind)
{
    struct text_buffer t = {0};
    text_print(&t, "{\"t\":\"%s\",\"ms\":%lld", kind, (long long)(wire_now() - begun) / 1000000);
    return t;
}

static void write_down(struct text_buffer t)
{
    text_put(&t, "}\n");
    fputs(t.p, file);
    fflush(file);
    text_free(&t);
}

void event_log_say(const char *by, const struct tg_chat *c, const char *text)
{
    if (!file)
        return;
    struct text_buffer t = line("say");
    put_text(&t, "by", by);
    text_print(&t, ",\"chat\":%lld", (long long)c->id);
    put_text(&t, "text", text);
    write_down(t);
}

void event_log_press(const char *by, const struct tg_chat *c, const struct tap *tap,
                     const char *label, const char *data)
{
    if (!file)
        return;
    struct text_buffer t = line("press");
    put_text(&t, "by", by);
    text_print(&t, ",\"chat\":%lld,\"tap\":%lld", (long long)c->id, (long long)tap->n);
    put_text(&t, "label", label);
    put_text(&t, "data", data);
    write_down(t);
}

void event_log_answer(const struct tap *tap)
{
    if (!file)
        return;
    struct text_buffer t = line("answer");
    text_print(&t, ",\"tap\":%lld", (long long)tap->n);
    put_text(&t, "text", tap->answer);
    write_down(t);
}

void event_log_bot(const struct tg_chat *c, const struct tg_message *m)
{
    const cJSON *row, *b;
    bool first = true;
    if (!file)
        return;
    struct text_buffer t = line("bot");
    text_print(&t, ",\"chat\":%lld,\"id\":%lld,\"to\":%lld", (long long)c->id, (long long)m->id,
               (long long)m->receiver);
    put_text(&t, "text", m->text);
    if (m->document)
        put_text(&t, "file", m->document);
    text_put(&t, ",\"data\":[");
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(m->markup, "inline_keyboard"))
        cJSON_ArrayForEach(b, row)
    {
        const char *data = cJSON_GetStringValue(cJSON_GetObjectItem(b, "callback_data"));
        if (!data)
            continue;
        text_put(&t, first ? "" : ",");
        text_json(&t, data);
        first = false;
    }
    text_put(&t, "]");
    write_down(t);
}

void event_log_death(const char *way, const char *what)
{
    if (!file)
        return;
    struct text_buffer t = line("death");
    put_text(&t, "way", way);
    put_text(&t, "what", what);
    write_down(t);
}
