/* Somebody who asks the daemon's server, on a socket of the test. */
#ifndef KOIKOI_TEST_VISITOR_H
#define KOIKOI_TEST_VISITOR_H

#include <stdbool.h>

struct visitor { int fd; char text[8192]; int n; };

void visitor_comes(struct visitor *v, int port, const char *request);
/* Reads what is there. True: the answer is whole, or the connection has ended. */
bool visitor_hears(struct visitor *v);
int visitor_status(const struct visitor *v);    /* 0: no answer yet */
void visitor_goes(struct visitor *v);

#endif
