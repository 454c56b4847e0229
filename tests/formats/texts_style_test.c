/* Each rule of a catalogue's style finds the case that is planted for it: the catalogues are those
 * of the program, each with one sentence as a hasty translator would write it. */
#include "engine/test.h"

#include "embedded.h"
#include "texts.h"

#include <cjson/cJSON.h>
#include <string.h>

static const struct planted {
    const char *language, *sentence, *words, *found;
} planted[] = {
    /* blanks, signs, quotes */
    {"ja", "progress_none", "まだ。 なし", "a blank beside"},
    {"zh", "progress_none", "还没有！ 真的", "a blank beside"},
    {"ja", "progress_none", "まだ 。", "a blank beside"},
    {"pl", "progress_none", "jeszcze  nic", "two blanks"},
    {"de", "progress_none", "noch nichts !", "a blank before"},
    {"fr", "progress_none", "rien encore !", "a narrow blank before"},
    {"fr", "progress_none", "rien encore: rien", "a narrow blank before"},
    {"pl", "hint", "💡 **{move}** (szansa {win} %)", "percents as in"},
    {"ja", "hint", "💡 **{move}**（{win} %）", "percents as in"},
    {"de", "hint", "💡 **{move}** ({win}%)", "percents as in"},
    {"ru", "progress_none", "пока \"ничего\"", "quote or apostrophe"},
    {"de", "progress_none", "noch “nichts”", "quote or apostrophe"},
    {"fr", "progress_none", "rien d'autre", "quote or apostrophe"},
    {"en", "progress_none", "nothing's there", "quote or apostrophe"},
    /* dashes */
    {"ru", "progress_none", "ничего – пока", "a foreign dash"},
    {"de", "progress_none", "noch nichts — gar nichts", "a foreign dash"},
    {"en", "progress_none", "nothing - yet", "a foreign dash"},
    {"pl", "progress_none", "nic—nic", "a foreign dash"},
    {"ja", "progress_none", "まだ – なし", "a foreign dash"},
    {"zh", "versus_head", "**{name} — {other}**", "a foreign dash"},
    /* words of English, second words, persons */
    {"de", "progress_none", "noch keine rounds", "English word \"rounds\""},
    {"ja", "progress_none", "まだ rounds", "English word \"rounds\""},
    {"ru", "board_rating", "rating", "English word \"rating\""},
    {"es", "anyone", "anyone here", "English word \"anyone\""},
    {"pl", "progress_none", "ziarno rozdania", "second word"},
    {"de", "progress_none", "Siegel der Runde", "second word"},
    {"es", "progress_none", "ningún desquite", "second word"},
    {"ja", "progress_none", "先生の番です", "second word"},
    {"zh", "progress_none", "老师先出牌", "second word"},
    {"pt", "progress_none", "nada rolando", "second word"},
    {"fr", "progress_none", "voici vos cartes", "second word"},
    {"ru", "progress_none", "твой ход", "second word"},
    {"de", "progress_none", "Sie können jetzt spielen", "second word"},
    {"es", "progress_none", "usted no tiene nada", "second word"},
    {"pt", "progress_none", "nada para o senhor", "second word"},
    {"pl", "progress_none", "pan nie ma nic", "second word"},
    {"ja", "progress_none", "きみの番です", "second word"},
    /* a sentence that is still English */
    {"fr", "round_drawn", "**Round {n} is drawn:** nobody stopped.", "English word"},
    {"pt", "page_stock", "Stock", "English word"},
    {"zh", "page_stock", "Stock", "English word"},
    {"ru", "progress_none", "после кой-коя", "second word"},
    {"zh", "progress_none", "您还没有", "second word"},
    /* names and cards in their sentence */
    {"ru", "left_resign", "У {name} нет карт.", "declined behind \"у\""},
    {"pl", "left_resign", "Bez {name} koniec.", "declined behind \"bez\""},
    {"ru", "left_resign", "{name} сдался.", "gender behind a name"},
    {"pl", "left_resign", "{name} poddał mecz.", "gender behind a name"},
    {"es", "left_resign", "{name} cansado se rinde.", "gender behind a name"},
    {"ru", "card_alone", "простая {card}{glyph}", "two genders in"},
    {"pl", "card_alone", "zwykła {card}{glyph}", "two genders in"},
    {"de", "card_alone", "rotes {card}{glyph}", "two genders in"},
    {"es", "card_alone", "{card} roja{glyph}", "two genders in"},
    {"pt", "card_alone", "{card} vermelha{glyph}", "two genders in"},
    {"fr", "card_alone", "{card} noire{glyph}", "two genders in"},
    /* buttons */
    {"zh", "button_start", "现在马上就开始这一场对战吧好吗", "a shorter label"},
    {"ru", "button_start", "Жжжжжжжжжжжжжжжжжжж", "a shorter label"},
    {"de", "button_start", "Wettkampfmannschaftsmitglied", "a shorter label"},
};

static struct arena *arena;

FIXTURE(open_arena)
{
    arena = arena_open((size_t)1 << 28);
    return 0;
}

FIXTURE(close_arena)
{
    arena_close(arena);
    return 0;
}

static cJSON *catalogue(const char *language)
{
    char name[16];
    snprintf(name, sizeof name, "texts/%s.json", language);
    struct str bytes = embedded_find(str_of(name));
    return cJSON_ParseWithLength(bytes.p, bytes.n);
}

static struct texts_found check(const cJSON *tree)
{
    struct texts_found found;
    char *bytes = cJSON_PrintUnformatted(tree);
    (void)texts_check(str_of(bytes), arena, &found);
    free(bytes);
    return found;
}

/* True if a fault of this sentence says so. */
static bool is_found(const struct planted *p, struct str lines)
{
    char place[64];
    snprintf(place, sizeof place, "texts.%s: ", p->sentence);
    for (struct str line; lines.n > 0;) {
        line = str_cut(lines, '\n', &lines);
        if (memmem(line.p, line.n, place, strlen(place)) &&
            memmem(line.p, line.n, p->found, strlen(p->found)))
            return true;
    }
    return false;
}

/* Each catalogue is checked with as many rows at once as there are sentences. */
TEST_WITH(each_rule_finds_what_is_planted, open_arena, close_arena)
{
    enum { N = sizeof planted / sizeof *planted };
    bool tried[N] = {false};
    for (int i = 0; i < N; i++) {
        if (tried[i])
            continue;
        const char *language = planted[i].language;
        cJSON *tree = catalogue(language), *texts = cJSON_GetObjectItemCaseSensitive(tree, "texts");
        bool now[N] = {false};
        for (int k = i; k < N; k++) {
            bool taken = tried[k] || strcmp(planted[k].language, language) != 0;
            for (int j = i; j < k && !taken; j++)
                taken = now[j] && strcmp(planted[j].sentence, planted[k].sentence) == 0;
            if (taken)
                continue;
            now[k] = tried[k] = true;
            cJSON_ReplaceItemInObjectCaseSensitive(texts, planted[k].sentence,
                                                   cJSON_CreateString(planted[k].words));
        }
        arena_reset(arena);
        struct texts_found found = check(tree);
        for (int k = i; k < N; k++)
            if (now[k] && !is_found(&planted[k], buf_str(&found.faults.text)))
                fail_msg("%s: \"%s\": wanted \"%s\", found:\n%.*s", language, planted[k].words,
                         planted[k].found, STR_ARG(buf_str(&found.faults.text)));
        cJSON_Delete(tree);
    }
}

/* A card's word that clashes, in the list of words alone, is found in the sentences with a card. */
TEST_WITH(a_card_of_another_gender_is_found_in_its_sentences, open_arena, close_arena)
{
    cJSON *tree = catalogue("ru"), *words = cJSON_GetObjectItemCaseSensitive(tree, "words"),
          *cards = cJSON_GetObjectItemCaseSensitive(
              cJSON_GetObjectItemCaseSensitive(words, "standard"), "cards");
    cJSON_ReplaceItemInObjectCaseSensitive(cards, "5p1", cJSON_CreateString("простая"));
    cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(words, "standard"),
                                            "names");
    struct texts_found found = check(tree);
    struct str lines = buf_str(&found.faults.text);
    assert_non_null(memmem(lines.p, lines.n, "texts.did_take: two genders in",
                           strlen("texts.did_take: two genders in")));
    cJSON_Delete(tree);
}

TEST_WITH(a_word_of_the_glossary_is_used, open_arena, close_arena)
{
    cJSON *tree = catalogue("de"),
          *row = cJSON_CreateStringArray((const char *[]){"Kartengeber"}, 1);
    cJSON_AddItemToObject(cJSON_GetObjectItemCaseSensitive(tree, "glossary"), "giver", row);
    struct texts_found found = check(tree);
    struct str lines = buf_str(&found.faults.text);
    assert_int_equal(found.faults.n, 1);
    assert_non_null(memmem(lines.p, lines.n, "does not use", strlen("does not use")));
    cJSON_Delete(tree);
}
