/* Choices on the screen, pressed by number or letter. The newest message that has the choice
 * counts. */
#include "terminal.h"

/* The newest menu that has entry `index`: one for `who`, or, if that is empty, one for the chat. */
static const struct terminal_menu *find_menu(const struct terminal_menu *at, struct str who,
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

bool terminal_menu_press(const struct terminal_menu at[static TERMINAL_MENUS], struct arena *turn,
                         struct str word, struct update *u)
{
    int64_t number = 0;
    struct str small = terminal_name_lower(turn, word);
    bool letter = small.n == 1 && small.p[0] >= 'a' && small.p[0] <= 'z';
    if (!letter && (!str_int(word, &number) || number < 1 || number > MAX_BUTTONS))
        return false;
    int index = letter ? small.p[0] - 'a' : (int)number - 1;
    const struct terminal_menu *m = find_menu(at, letter ? STR("") : u->from.id, u->chat, index);
    if (!m)
        return false;
    u->kind = UPDATE_PRESS;
    u->text = arena_str(turn, (struct str){m->at[index].data, m->at[index].n});
    u->post = arena_print(turn, "%lld", (long long)m->row);
    u->press = u->from.id;
    return true;
}

static void copy_text(char *ret, size_t size, struct str s)
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
    struct terminal_menu *target = at;
    for (struct terminal_menu *m = at; m < at + TERMINAL_MENUS; m++) {
        if (m->row > 0 && slot && m->slot == slot && str_is(str_of(m->to), to) &&
            str_is(str_of(m->chat), chat))
            m->row = 0;
        if (m->row < target->row)
            target = m;
    }
    if (out->kind != OUT_POST || out->n_buttons <= 0)
        return;
    *target = (struct terminal_menu){.row = out->row > 0 ? out->row : 1, .slot = slot};
    copy_text(target->to, sizeof target->to, to);
    copy_text(target->chat, sizeof target->chat, chat);
    for (int i = 0; i < out->n_buttons && i < MAX_BUTTONS; i++) {
        struct str data = out->buttons[i].data;
        target->at[i].n = (uint8_t)(data.n < BUTTON_DATA ? data.n : BUTTON_DATA);
        if (target->at[i].n > 0)
            memcpy(target->at[i].data, data.p, target->at[i].n);
        target->n = i + 1;
    }
}
