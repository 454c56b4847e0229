/* Settings of a chat. A button of /settings carries the setting (its version, from 1; 0 is the list of
 * all) and the value (its index, from 1; 0 shows the setting), as places in the lists here. To add one: a
 * row in setting.def, its member in chat_settings.h, its two sentences.
 *
 *     seen = settings_seen(world, effects, &settings)
 *     settings[i].label, settings[i].about                   its sentences
 *     n = setting_words(&seen, i, words)                     what may be chosen, as it may be typed
 *     setting_now(&seen, i)                                  what holds now
 *     settings_pressed(world, event, arena)                  a press as words: "rules=okoshki"
 */
#ifndef KOIKOI_SETTINGS_H
#define KOIKOI_SETTINGS_H

#include "step.h"

enum setting {
#define SETTING(id, ...) SETTING_##id,
#define SWITCH(id, ...)  SETTING_##id,
#define HOUR(id, ...)    SETTING_##id,
#define OWN(id, ...)     SETTING_##id,
#include "setting.def"
    N_SETTINGS
};

struct step;

/* What a setting is read from. */
struct settings_seen {
    const struct world *w;
    const struct chat_settings *chat;
    const struct person_prefs *me;
    struct arena *a;               /* for words */
    const struct setting_row *row; /* the one that `now` reads */
};

enum { SETTING_WORDS = 32 };
struct setting_row {
    const char *name; /* as it is typed */
    enum text label, about;
    bool (*set)(struct step *st, const struct setting_row *row, struct chat_settings *chat,
                struct str value);
    int (*list)(const struct settings_seen *s, struct str ret[static SETTING_WORDS]);
    const char *words;
    struct str (*now)(const struct settings_seen *s);
    uint32_t needs; /* enum ability */
    bool pages;     /* it is about pages of the bot */
    bool own;
    size_t member; /* of struct chat_settings; what it is when on, or by "on" */
    int on;
};
extern const struct setting_row settings[N_SETTINGS];

struct settings_seen settings_seen(const struct world *w, const struct effects *fx,
                                   const struct chat_settings *chat);
/* False of a setting that means nothing on the network of the event, or in its chat. */
bool setting_is_here(const struct world *w, const struct event *e, enum setting which);
/* Returns their number. The words live in the arena, or for ever. */
int setting_words(const struct settings_seen *s, enum setting which,
                  struct str ret[static SETTING_WORDS]);
struct str setting_now(struct settings_seen *s, enum setting which);
/* The clock that a word of SETTING_CLOCK means; NULL if its list has no such word. */
const struct time_control *setting_clock(struct str word);
/* Empty: the press changes nothing. */
struct str settings_pressed(const struct world *w, const struct event *e, struct arena *a);

#endif
