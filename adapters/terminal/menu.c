/* Choices on the screen: pressed by number or letter, the newest message that has them wins. */
#include "terminal.h"

/* The newest choices with that many entries: one's own, or those of the room. */
static const struct terminal_menu *menu_find(const struct terminal_menu *at, struct str who,
                                             struct str chat, int index)
{
    const struct terminal_menu *best = NULL;
    for (const struct terminal_menu *m = at; m < at + TERMINAL_MENUS; m++) {
        bool mine =
            who.n > 0 ? str_is(str_of(m->to), who) : !m->to[0] && str_is(str_of(m->chat), chat);
        if (m->row > 0 && mine && index < m->n && (!best || m->row > best->row))
            best = m;
    }
    return best;
}

bool terminal_press(const struct terminal_menu at[static TERMINAL_MENUS], struct arena *turn,
                    struct str word, struct update *u)
{
    int64_t number = 0;
    struct str small = terminal_lower(turn, word);
    bool letter = small.n == 1 && small.p[0] >= 'a' && small.p[0] <= 'z';
    if (!letter && (!str_int(word, &number) || number < 1 || number > MAX_BUTTONS))
        return false;
    int index = letter ? small.p[0] - 'a' : (int)number - 1;
    const struct terminal_menu *m = menu_find(at, letter ? STR("") : u->from.id, u->chat, index);
    if (!m)
        return false;
    u->kind = UPDATE_PRESS;
    u->text = arena_str(turn, (struct str){m->at[index].data, m->at[index].n});
    u->post = arena_print(turn, "%lld", (long long)m->row);
    u->press = u->from.id;
    return true;
}

static void keep(char *ret, size_t size, struct str s)
{
    size_t n = s.n < size ? s.n : size - 1;
    if (n > 0)
        memcpy(ret, s.p, n);
    ret[n] = 0;
}

void terminal_menu_keep(struct terminal_menu at[static TERMINAL_MENUS], const struct outgoing *out,
                        struct str to, struct str chat)
{
    uint64_t slot = out->slot.n > 0 ? str_hash(out->slot) | 1 : 0;
    struct terminal_menu *place = at;
    for (struct terminal_menu *m = at; m < at + TERMINAL_MENUS; m++) {
        if (m->row > 0 && slot && m->slot == slot && str_is(str_of(m->to), to) &&
            str_is(str_of(m->chat), chat))
            m->row = 0;
        if (m->row < place->row)
            place = m;
    }
    if (out->kind != OUT_POST || out->n_buttons <= 0)
        return;
    *place = (struct terminal_menu){.row = out->row > 0 ? out->row : 1, .slot = slot};
    keep(place->to, sizeof place->to, to);
    keep(place->chat, sizeof place->chat, chat);
    for (int i = 0; i < out->n_buttons && i < MAX_BUTTONS; i++) {
        struct str data = out->buttons[i].data;
        place->at[i].n = (uint8_t)(data.n < TERMINAL_DATA ? data.n : TERMINAL_DATA);
        if (place->at[i].n > 0)
            memcpy(place->at[i].data, data.p, place->at[i].n);
        place->n = i + 1;
    }
}
