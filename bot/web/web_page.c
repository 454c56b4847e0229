/* The document of the start page: words, opponents, tables. */
#include "command.h"
#include "web_internal.h"

#include "character.h"

enum { PAGE_BYTES = 16 * 1024, TABLES_SHOWN = 12 };

/* The page's own words, by the names under which it asks for them. */
static const struct {
    const char *name;
    enum text key;
} words[] = {
    {"computer", T_BUTTON_COMPUTER}, {"friend", T_PAGE_FRIEND},
    {"learn", T_PAGE_LEARN},         {"watch", T_PAGE_WATCH},
    {"name", T_PAGE_NAME},           {"start", T_BUTTON_START},
    {"link", T_PAGE_LINK},           {"hand", T_PAGE_HAND},
    {"field", T_PAGE_FIELD},         {"chat", T_PAGE_CHAT},
    {"send", T_PAGE_SEND},           {"lay", T_PAGE_LAY},
    {"menu", T_PAGE_MENU},           {"back", T_PAGE_BACK},
    {"copy", T_PAGE_COPY},           {"tables", T_PAGE_TABLES},
    {"stock", T_PAGE_STOCK},         {"lost", T_PAGE_LOST},
    {"choose", T_PAGE_CHOOSE},       {"share", T_PAGE_SHARE},
    {"new_link", T_PAGE_NEW_LINK},   {"mine", T_PAGE_MINE},
    {"step", T_PAGE_STEP},           {"step_back", T_PAGE_STEP_BACK},
    {"step_on", T_PAGE_STEP_ON},     {"round_back", T_PAGE_ROUND_BACK},
    {"round_on", T_PAGE_ROUND_ON},   {"best", T_PAGE_BEST},
    {"worst", T_PAGE_WORST},         {"reviewing", T_PAGE_REVIEWING},
    {"checking", T_PAGE_CHECKING},   {"fair", T_PAGE_FAIR},
    {"forged", T_PAGE_FORGED},       {"unchecked", T_PAGE_UNCHECKED},
    {"record", T_PAGE_RECORD},       {"play_on", T_PAGE_PLAY_ON},
    {"gone", T_PAGE_GONE},           {"chances", T_PICTURE_CHANCES},
    {"review", T_BUTTON_REVIEW},     {"watching", T_PAGE_WATCHING},
    {"unwatched", T_PAGE_UNWATCHED}, {"reopen", T_PAGE_REOPEN},
    {"players", T_PAGE_PLAYERS},
};

static struct str say(const struct texts *t, struct arena *a, enum text key)
{
    return text_make(t, a, key, 0, NULL, 0);
}

struct str page_closed(const struct texts *t, struct arena *a)
{
    struct str start = arena_print(a, "/%.*s", STR_ARG(command_name(t, VERB_START, true)));
    return text_make(t, a, T_PAGE_CLOSED, 0, &start, 1);
}

static void put_computers(struct buf *b, const struct texts *t, struct arena *a)
{
    json_put_open(b, "computers", '[');
    for (int c = 1; c < N_CHARACTERS; c++) {
        enum text level = (enum text)(T_LEVEL_BEGINNER + characters[c].level);
        struct str face = str_of(characters[c].key),
                   about = say(t, a, character_text(c, MANNER_MANNER));
        JSON_PUT(b, "{'name':$,'face':$,'level':$,'about':$,'say':$}", t->character[c], face,
                 say(t, a, level), about, arena_print(a, "/challenge %.*s", STR_ARG(face)));
    }
    buf_char(b, ']');
}

/* `chat`: the one that the page stands beside; may be empty. */
struct str page_document(struct web *web, const struct visitor *v, struct str chat, struct arena *a)
{
    const struct inbox_reader reader = {v->reader.account, v->reader.who, v->reader.language, chat};
    const struct texts *t = inbox_texts(web->parts.inbox, v->reader.language);
    struct buf b = {arena_room(a, PAGE_BYTES), 0, PAGE_BYTES, false};
    struct inbox_table tables[TABLES_SHOWN];
    int n = v->reader.who ? inbox_tables(web->parts.inbox, &reader, a, TABLES_SHOWN, tables) : 0;
    int64_t shown = n > 0 ? tables[0].no : 0;
    for (int i = n - 1; i >= 0; i--)
        shown = tables[i].mine ? tables[i].no : shown;
    for (int i = n - 1; i >= 0; i--)
        shown = tables[i].here ? tables[i].no : shown;
    bool foreign = v->reader.account != web->parts.own;
    JSON_PUT(&b, "{'lang':$,'name':$,'network':$,'token':$", t->language, v->name,
             foreign ? str_of(v->reader.account->adapter->title) : STR(""), v->token);
    json_put_bool(&b, "chat", v->chat.n > 0);
    json_put_int(&b, "t", shown);
    json_put_open(&b, "words", '{');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        json_put_str(&b, words[i].name, say(t, a, words[i].key));
    JSON_PUT(&b, "'closed':$}", page_closed(t, a));
    put_computers(&b, t, a);
    JSON_PUT(&b, "'learn':'/tutorial','watch':'/games','tables':[");
    for (int i = 0; i < n; i++) {
        json_put_open(&b, NULL, '{');
        json_put_int(&b, "t", tables[i].no);
        JSON_PUT(&b, "'text':$,'deck':$", tables[i].names, tables[i].deck);
        json_put_bool(&b, "mine", tables[i].mine);
        buf_char(&b, '}');
    }
    buf_put(&b, STR("]}"));
    return buf_str(&b);
}
