/* A header that C reads too. */
#ifndef CART_H
#define CART_H

#ifdef __cplusplus
extern "C" {
#endif

struct cart;
long cart_total(const struct cart *cart);  /* DEFINES function cart_total 10-10 */

static inline int cart_is_empty(const struct cart *cart) {  /* DEFINES function cart_is_empty 12-14 */
    return cart_total(cart) == 0; /* REFERS call cart_total */
}

#ifdef __cplusplus
}
#endif
#endif
