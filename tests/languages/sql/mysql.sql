# Everything anew.
DROP TABLE IF EXISTS `orders`; -- DEFINES statement drop_orders 1-2
CREATE TABLE `orders` ( -- DEFINES statement orders 3-8
  `id` int unsigned NOT NULL AUTO_INCREMENT, -- DEFINES field orders.id 4-4
  `state` enum('a','b;c') COMMENT 'it''s \' x', -- DEFINES field orders.state 5-5
  PRIMARY KEY (`id`),
  KEY `by_state` (`state`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
/*!40101 SET NAMES utf8 */;
DELIMITER //
CREATE PROCEDURE refund(IN order_id INT) -- DEFINES function refund 11-15
BEGIN
  UPDATE orders SET state = 'void' WHERE id = order_id;
  IF order_id THEN SELECT 1; END IF;
END //
DELIMITER ;
CREATE TRIGGER touched AFTER INSERT ON orders FOR EACH ROW -- DEFINES statement touched 17-20
BEGIN
  UPDATE totals SET n = CASE WHEN n > 1 THEN 2 ELSE 3 END;
END;
ALTER TABLE orders ADD refunded_at DATETIME NULL AFTER state, ADD INDEX by_refund (refunded_at); -- DEFINES statement orders 21-21  DEFINES field orders.refunded_at 21-21
