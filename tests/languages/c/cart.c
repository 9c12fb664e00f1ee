/* A cart, its commands and the table that finds them. */
#include <stdio.h>
#include "cart.h"

#define MAX_ITEMS 64  /* DEFINES constant MAX_ITEMS 5-5 */
#define HAVE_EPOLL  /* DEFINES constant HAVE_EPOLL 6-6 */
#define LINE_TOTAL(item) ((item)->price * (item)->count)  /* DEFINES macro LINE_TOTAL 7-7 */
#define EACH(list, body)  /* */  /* DEFINES macro EACH 8-11 */ \
    do {                 \
        body;            \
    } while (0)

MODULE_LICENSE("MIT"); /* REFERS call MODULE_LICENSE */

struct listener; /* declared elsewhere */

/* What a cart holds. */
typedef struct {
    long price, *discount;  /* DEFINES field item_t.price 19-19  DEFINES field item_t.discount 19-19 */
    struct item *next; /* REFERS type item  DEFINES field item_t.next 20-20 */
    int (*weigh)(struct item *self, int unit);  /* DEFINES field item_t.weigh 21-21 */
    char label[16];  /* DEFINES field item_t.label 22-22 */
    char **tags;  /* DEFINES field item_t.tags 23-23 */
} item_t;  /* DEFINES struct item_t 17-24 */

typedef struct cart {  /* DEFINES type-alias cart 26-33 */
    item_t *items; /* REFERS type item_t  DEFINES field cart_t.items 27-27 */
    unsigned flags : 3;  /* DEFINES field cart_t.flags 28-28 */
    union {
        long cents;  /* DEFINES field cart_t.fee.cents 30-30 */
        double rate;  /* DEFINES field cart_t.fee.rate 31-31 */
    } fee;  /* DEFINES field cart_t.fee 29-32 */
} cart_t, *cart_ref;  /* DEFINES struct cart_t 26-33  DEFINES type-alias cart_ref 26-33 */

typedef struct queue {
    int length;  /* DEFINES field queue.length 36-36 */
} queue;  /* DEFINES struct queue 35-37 */

enum state { OPEN, PAID = 4, VOID };  /* DEFINES enum state 39-39  DEFINES enum-member state.OPEN 39-39  DEFINES enum-member state.PAID 39-39  DEFINES enum-member state.VOID 39-39 */

typedef enum { LOW, HIGH } level;  /* DEFINES enum level 41-41  DEFINES enum-member level.LOW 41-41  DEFINES enum-member level.HIGH 41-41 */

union word {  /* DEFINES struct word 43-45 */
    int number;  /* DEFINES field word.number 44-44 */
};

typedef int (*handler)(cart_t *cart, int argc);  /* DEFINES type-alias handler 47-47 */
typedef int(plain_handler)(cart_t *cart);  /* DEFINES type-alias plain_handler 48-48 */
typedef unsigned long money;  /* DEFINES type-alias money 49-49 */

struct {
    int calls;  /* DEFINES field calls 52-52 */
} statistics = {0};  /* DEFINES variable statistics 53-53 */

static int pay(cart_t *cart, int argc);  /* DEFINES function pay 55-55 */
extern long cart_total(const cart_t *cart);  /* DEFINES function cart_total 56-56 */

int opened = 0;  /* DEFINES variable opened 58-58 */
static money spent, *ledger, history[8];  /* DEFINES variable spent 59-59  DEFINES variable ledger 59-59  DEFINES variable history 59-59 */
static const char *const greeting = "hello";  /* DEFINES constant greeting 60-60 */
int (*on_exit_hook)(void) = 0;  /* DEFINES variable on_exit_hook 61-61 */
static struct pool __attribute__((aligned(8))) pool;  /* DEFINES variable pool 62-62 */

/* Pays for everything
 * in the cart. */
static int pay(cart_t *cart, int argc) {  /* DEFINES function pay 64-77 */
    money local = cart_total(cart); /* REFERS call cart_total REFERS type money */
    struct item *first = cart->items->next; /* REFERS read cart.items.next REFERS type item */
    if (argc > MAX_ITEMS) goto out; /* REFERS read MAX_ITEMS */
    first->weigh(first, OPEN); /* REFERS call first.weigh REFERS pass OPEN */
    spent += local; /* REFERS read spent */
    qsort(ledger, 3, sizeof(money), by_size); /* REFERS pass by_size REFERS pass ledger */
    atexit(&leave); /* REFERS pass leave */
    return LINE_TOTAL(first); /* REFERS call LINE_TOTAL */
out:
    return -1;
}

static inline __always_inline int refund(cart_t *cart) {  /* DEFINES function refund 79-81 */
    return pay(cart, 1); /* REFERS call pay */
}

char **cart_tags(const cart_t *cart) {  /* DEFINES function cart_tags 83-85 */
    return cart->items->tags;
}

int (*find_handler(const char *name))(cart_t *, int) {  /* DEFINES function find_handler 87-89 */
    return name ? pay : 0; /* REFERS read pay */
}

int old_style(count, label)  /* DEFINES function old_style 91-96 */
    int count;
    char *label;
{
    return count + label[0];
}

REDIS_NO_SANITIZE("bounds")
__attribute__((noinline)) void audit(void) {}  /* DEFINES function audit 99-99 */

#ifdef HAVE_EPOLL
int wait_for(int milliseconds, int spin) {  /* DEFINES function wait_for 102-107 */
#else
int wait_for(int milliseconds) {
#endif
    return milliseconds;
}

SYSCALL_DEFINE2(cart_open, int, fd, char __user *, buffer)  /* DEFINES function cart_open 109-112 */
{
    return refund(0); /* REFERS call refund */
}

PHP_FUNCTION(cart_close)  /* DEFINES function cart_close 114-117 */
{
    statistics.calls++; /* REFERS read statistics.calls */
}

static const struct file_operations cart_file = { /* REFERS type file_operations  DEFINES constant cart_file 119-122 */
    .open = cart_open, /* REFERS table cart_open */
    .release = &cart_close, /* REFERS table cart_close */
};

static struct command {  /* DEFINES struct command 124-127 */
    const char *name;  /* DEFINES field command.name 125-125 */
    handler run;  /* DEFINES field command.run 126-126 */
} commands[] = {  /* DEFINES variable commands 127-130 */
    {"pay", pay}, /* REFERS table pay */
    {"refund", (handler)refund}, /* REFERS table refund */
};
