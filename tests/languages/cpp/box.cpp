// Boxes of things, and what is done with them.
#include <vector>
#include "box.h"

using namespace std;
using shop::Money;
namespace fs = std::filesystem;

#define LINE(x) ((x) + 1)  // DEFINES macro LINE 9-9
#define BOX_VERSION 3  // DEFINES constant BOX_VERSION 10-10

namespace shop::detail {  // DEFINES module shop.detail 12-53

/// A box that knows its content.
template <class T>
class Box : public Base<T>, private detail::Guard { // REFERS inherit Base REFERS inherit detail.Guard  DEFINES class shop.detail.Box 14-46
public:
    using value_type = T;  // DEFINES type-alias shop.detail.Box.value_type 18-18
    enum class Size : int { SMALL, LARGE };  // DEFINES enum shop.detail.Box.Size 19-19  DEFINES enum-member shop.detail.Box.Size.SMALL 19-19  DEFINES enum-member shop.detail.Box.Size.LARGE 19-19
    static const int LIMIT = 3;  // DEFINES constant shop.detail.Box.LIMIT 20-20

    Box() = default;  // DEFINES method shop.detail.Box.Box 22-22
    explicit Box(int count) : count_(count), size_(measure(count)) {} // REFERS call measure  DEFINES method shop.detail.Box.Box 23-23
    Box(const Box& other) = delete;  // DEFINES method shop.detail.Box.Box 24-24
    virtual ~Box();  // DEFINES method shop.detail.Box.~Box 25-25
    virtual void pack() = 0;  // DEFINES method shop.detail.Box.pack 26-26
    T get() const;  // DEFINES method shop.detail.Box.get 27-27
    T get(int index) const; // an overload  DEFINES method shop.detail.Box.get 28-28
    Box& operator=(const Box& other);  // DEFINES method shop.detail.Box.operator= 29-29
    operator bool() const { return count_ > 0; }  // DEFINES method shop.detail.Box.operator_bool 30-30
    template <class U>
    void push(U item) {  // DEFINES method shop.detail.Box.push 31-35
        items_.push_back(item); // REFERS call items_.push_back
        this->pack(); // REFERS call this.pack
    }
    friend void swap(Box& left, Box& right) {}  // DEFINES method shop.detail.Box.swap 36-36
    friend class Other;

private:
    std::vector<Money> items_; // REFERS type std.vector REFERS type Money  DEFINES field shop.detail.Box.items_ 40-40
    int count_ = 0, *spare_;  // DEFINES field shop.detail.Box.count_ 41-41  DEFINES field shop.detail.Box.spare_ 41-41
    void (*hook_)(int);  // DEFINES field shop.detail.Box.hook_ 42-42
    struct Lid {  // DEFINES struct shop.detail.Box.Lid 43-45
        int weight;  // DEFINES field shop.detail.Box.Lid.weight 44-44
    };
};

template <class T>
T Box<T>::get() const {  // DEFINES method shop.detail.Box.get 48-51
    return T();
}

} // namespace shop::detail

namespace {
int hidden(int depth) { return LINE(depth); } // REFERS call LINE  DEFINES function hidden 56-56
struct Secret {};  // DEFINES struct Secret 57-57
constexpr double kRate = 0.5;  // DEFINES constant kRate 58-58
} // namespace

inline namespace v1 {  // DEFINES module v1 61-63
const char* const kName = "box";  // DEFINES constant v1.kName 62-62
}

Store::Store(Clock clock) : clock_(clock) {}  // DEFINES method Store.Store 65-65
Store::~Store() {}  // DEFINES method Store.~Store 66-66

// Opens the store.
[[nodiscard]] bool Store::open(const std::string& path, Cart* cart) noexcept {  // DEFINES method Store.open 68-88
    auto owner = std::make_unique<Cart>(1); // REFERS call std.make_unique REFERS type Cart
    owner->add(path); // REFERS call owner.add
    auto* made = new shop::Cart(3); // REFERS new shop.Cart
    Cart local;
    auto braces = Cart{2}; // REFERS new Cart
    Cart::reset(); // REFERS call Cart.reset
    auto by_price = [](int left, int right) { return compare(left, right); }; // REFERS call compare  DEFINES function Store.open.by_price 76-76
    std::sort(cart->begin(), cart->end(), by_price); // REFERS call cart.begin
    std::for_each(cart->begin(), cart->end(), hidden); // REFERS pass hidden
    shop::detail::notify<int>(&on_open, &Store::on_close); // REFERS call shop.detail.notify REFERS pass on_open
    if (auto found = cart->find(path); found != nullptr) return false;
    for (const auto& line : cart->lines) line.check(); // REFERS call line.check
    try {
        cart->state = State::OPEN; // REFERS read State.OPEN
    } catch (const Failure& failure) { // REFERS type Failure
        failure.report(); // REFERS call failure.report
    }
    return static_cast<bool>(made);
}

int Store::opened = 0;  // DEFINES variable Store.opened 90-90
bool operator==(const Store& left, const Store& right) { return true; }  // DEFINES function operator== 91-91
bool Store::operator<(const Store& other) const { return true; }  // DEFINES method Store.operator< 92-92
Store::operator int() const { return 1; }  // DEFINES method Store.operator_int 93-93

template <> struct hash<Store> {  // DEFINES struct hash 95-97
    size_t operator()(const Store& store) const;  // DEFINES method hash.operator() 96-96
};

enum Color { RED, GREEN };  // DEFINES enum Color 99-99  DEFINES enum-member Color.RED 99-99  DEFINES enum-member Color.GREEN 99-99
union Word {  // DEFINES struct Word 100-102
    int number;  // DEFINES field Word.number 101-101
};
typedef void (*callback)(int);  // DEFINES type-alias callback 103-103
using Text = std::string;  // DEFINES type-alias Text 104-104
template <typename T> using List = std::vector<T>;  // DEFINES type-alias List 105-105
template <typename T> concept Addable = requires(T value) { value + value; };  // DEFINES interface Addable 106-106
template <typename T> constexpr bool is_box = false;  // DEFINES constant is_box 107-107

auto trailing(int depth) -> std::vector<int> { return {}; }  // DEFINES function trailing 109-109
static int counter;  // DEFINES variable counter 110-110
auto add = [](int left, int right) { return left + right; };  // DEFINES function add 111-111
std::map<std::string, callback> handlers = {{"open", &on_open}, {"close", on_close}}; // REFERS table on_open REFERS table on_close  DEFINES variable handlers 112-112

extern "C" {
int c_entry(int argc);  // DEFINES function c_entry 115-115
}
extern "C" void c_start() {}  // DEFINES function c_start 117-117

class SHOP_API Derived final : public shop::Box<int> { // REFERS inherit shop.Box  DEFINES class Derived 119-123
    using Box::Box;
    void pack() override;  // DEFINES method Derived.pack 121-121
    Money* price(int day) { return nullptr; }  // DEFINES method Derived.price 122-122
};

SHOP_CONSTEXPR auto twice(int value) -> int { return value * 2; }  // DEFINES function twice 125-125

TEST(BoxTest, Opens) {  // DEFINES method BoxTest.Opens 127-129
    EXPECT_TRUE(hidden(1)); // REFERS call EXPECT_TRUE REFERS call hidden
}
