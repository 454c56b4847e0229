/* What messengers show of a link that is passed on: title, sentence, picture. */
#ifndef KOIKOI_WEB_PREVIEW_H
#define KOIKOI_WEB_PREVIEW_H

#include "web_internal.h"

struct posters *posters_open(void);
void posters_close(struct posters *p);
/* Of /KIND/12-NAME, with what a preview of that link shows, and of its picture; false if there is
 * nothing to show, or the address asks too often. */
bool preview_serve(struct web *web, struct server_request *r);

#endif
