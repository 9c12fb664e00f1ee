// A header that only C++ can read.
#ifndef SHOP_BOX_H
#define SHOP_BOX_H

namespace shop {  // DEFINES module shop 5-15

template <class T> struct Lid { T open() const; };  // DEFINES struct shop.Lid 7-7  DEFINES method shop.Lid.open 7-7

#ifdef SHOP_FAST
inline int speed() { return 2; }  // DEFINES function shop.speed 10-10
#else
inline int speed() { return 1; }  // DEFINES function shop.speed 12-12
#endif

} // namespace shop
#endif
