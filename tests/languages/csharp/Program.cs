using Shop.Orders;

var app = Builder.Create(); // REFERS call Builder.Create  DEFINES variable app 3-3
const int Port = 80;  // DEFINES constant Port 4-4
app.Map("/pay", Pay); // REFERS call app.Map REFERS pass Pay
app.Run(Port);

static string Pay(Order order) => order.Label; // REFERS type Order  DEFINES function Pay 8-8

namespace Shop.Late
{
    class Late { }  // DEFINES class Late 12-12
}
