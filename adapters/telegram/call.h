/* One call of the Bot API: its fields, and the request they become. */
#ifndef TELEGRAM_CALL_H
#define TELEGRAM_CALL_H

#include "adapter.h"

struct telegram;

enum { MAX_FIELDS = 16 };
struct call_field {
    const char *name;
    struct str value; /* text, or already JSON (a number, an object, true) */
    bool json;
};
struct call_fields {
    struct call_field at[MAX_FIELDS];
    int n;
};
void tg_call_text(struct call_fields *f, const char *name, struct str value);
void tg_call_json(struct call_fields *f, const char *name, struct str value);
/* The fields as one JSON object. */
struct str tg_call_print(struct arena *a, const struct call_fields *f);

struct request tg_call(struct telegram *t, struct arena *a, const char *method,
                       const struct call_fields *f);
/* The same as a form with a file. A field names a picture "attach://picture"; a document's part has
 * its field's name. */
struct request tg_call_with_file(struct telegram *t, struct arena *a, const char *method,
                                 const struct call_fields *f, struct part file);
struct request tg_call_with_picture(struct telegram *t, struct arena *a, const char *method,
                                    const struct call_fields *f, struct str bytes);

#endif
