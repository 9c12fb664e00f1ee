<?php
declare(strict_types=1);

namespace App\Shop;

use App\Models\Cart;
use App\Models\{User, Post as Article};
use function App\Util\helper;
use const App\Util\MAX;
use App\Store as Shop, App\Other;

require_once __DIR__ . '/lib.php';

/** How often it is tried. */
const LIMIT = 3;  // DEFINES constant LIMIT 14-15
define('OLD_LIMIT', 4); // REFERS call define  DEFINES constant OLD_LIMIT 16-16

/**
 * What was ordered.
 */
#[Route('/pay')] // REFERS call Route
#[Entity]
final class Order extends Base implements Countable, \JsonSerializable // REFERS inherit Base REFERS implement Countable REFERS implement JsonSerializable  DEFINES class Order 18-69
{
    use Loggable; // REFERS inherit Loggable

    public const MAX = 3, MIN = 1;  // DEFINES constant Order.MAX 27-27  DEFINES constant Order.MIN 27-27
    private const array TABLE = ['a' => Handler::class, 'b' => LIMIT]; // REFERS table Handler REFERS table LIMIT  DEFINES constant Order.TABLE 28-28
    private ?Store $store = null; // REFERS type Store  DEFINES field Order.store 29-29
    public static int $count = 0;  // DEFINES field Order.count 30-30
    protected $handlers = ['void' => [self::class, 'onVoid']]; // REFERS pass onVoid  DEFINES field Order.handlers 31-31

    public function __construct(private readonly Logger $log, protected int $tries = LIMIT) // REFERS type Logger REFERS read LIMIT  DEFINES method Order.__construct 33-37  DEFINES field Order.log 33-33  DEFINES field Order.tries 33-33
    {
        parent::__construct(); // REFERS call parent.__construct
        $this->store = new Store(1); // REFERS new Store REFERS read $this.store
    }

    #[Inject]
    public function pay(Money $amount, ?Cart $cart, User|Article $user, ...$rest): ?Money // REFERS type Money REFERS type Cart REFERS type User  DEFINES method Order.pay 39-61
    {
        $local = new Cart(1); // REFERS new Cart
        $local->add($amount)->sub(); // REFERS call $local.add REFERS call $local.add().sub
        Helper::run($amount); // REFERS call Helper.run
        self::make(); // REFERS call self.make
        $double = fn($value) => $value * self::MAX; // REFERS read self.MAX  DEFINES function Order.pay.double 46-46
        foreach ($cart->items as $key => $item) {
            $item->open(); // REFERS call $item.open
        }
        array_map('helper', $rest); // REFERS pass helper
        usort($rest, [$this, 'compare']); // REFERS pass compare
        try {
            $cart?->close(); // REFERS call $cart.close
        } catch (NotFound | Broken $failure) { // REFERS type NotFound REFERS type Broken
            $failure->report(); // REFERS call $failure.report
        }
        if ($cart instanceof Premium) { // REFERS type Premium
            return \App\Models\Cart::find(Status::Paid); // REFERS call App.Models.Cart.find REFERS read Status.Paid
        }
        return match ($user) { 1 => one(), default => two() }; // REFERS call one REFERS call two
    }

    abstract protected function measure(): int;  // DEFINES method Order.measure 63-63

    public static function make(): static  // DEFINES method Order.make 65-68
    {
        return new static();
    }
}

interface Priced extends Weighed, Named // REFERS inherit Weighed  DEFINES interface Priced 71-75
{
    const TAX = 1;  // DEFINES constant Priced.TAX 73-73
    public function price(): int;  // DEFINES method Priced.price 74-74
}

trait Loggable  // DEFINES trait Loggable 77-81
{
    private $logger;  // DEFINES field Loggable.logger 79-79
    public function log() {}  // DEFINES method Loggable.log 80-80
}

enum Status: string implements HasLabel // REFERS implement HasLabel  DEFINES enum Status 83-89
{
    case Paid = 'p';  // DEFINES enum-member Status.Paid 85-85
    case Void = 'v';  // DEFINES enum-member Status.Void 86-86
    const START = self::Paid; // REFERS read self.Paid  DEFINES constant Status.START 87-87
    public function label(): string { return ''; }  // DEFINES method Status.label 88-88
}

function helper(int $value): string  // DEFINES function helper 91-95
{
    function inner() {}  // DEFINES function helper.inner 93-93
    return strtoupper($value); // REFERS call strtoupper
}

$app = new App(); // REFERS new App  DEFINES variable app 97-97
$app->run(); // REFERS call $app.run
$onPaid = function ($event) { return $event; };  // DEFINES function onPaid 99-99
if (!function_exists('polyfill')) {
    function polyfill() {}  // DEFINES function polyfill 101-101
}
