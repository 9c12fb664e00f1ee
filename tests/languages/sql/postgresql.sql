-- 0007_add_refunds
CREATE TABLE IF NOT EXISTS shop.refunds ( -- DEFINES statement shop.refunds 1-9
  id bigserial PRIMARY KEY, -- the key; of all -- DEFINES field shop.refunds.id 3-3
  order_id int NOT NULL REFERENCES orders(id) ON DELETE CASCADE, -- DEFINES field shop.refunds.order_id 4-4
  amount numeric(10, 2) DEFAULT 0.0 CHECK (amount >= 0), -- DEFINES field shop.refunds.amount 5-5
  "quoted name" text, -- DEFINES field shop.refunds.quoted_name 6-6
  CONSTRAINT refunds_unique UNIQUE (order_id, amount),
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);

-- A comment on its own.

/* Two columns; at once. */
ALTER TABLE ONLY orders ADD COLUMN refunded_at timestamptz, ADD COLUMN IF NOT EXISTS note text DEFAULT 'a;b'; -- DEFINES statement orders 13-14  DEFINES field orders.refunded_at 14-14  DEFINES field orders.note 14-14

CREATE OR REPLACE FUNCTION shop.total(order_id int) RETURNS int LANGUAGE plpgsql AS $body$ -- DEFINES function shop.total 16-22
DECLARE found int;
BEGIN
  SELECT sum(amount) INTO found FROM lines; -- ; here
  RETURN found;
END;
$body$;
CREATE UNIQUE INDEX CONCURRENTLY refunds_by_order ON refunds USING btree (order_id); -- DEFINES statement refunds_by_order 23-23
CREATE MATERIALIZED VIEW paid AS SELECT * FROM orders WHERE state = 'paid'; -- DEFINES statement paid 24-24
INSERT INTO orders (id) VALUES (1), (2) ON CONFLICT DO NOTHING; -- DEFINES statement insert_orders 25-26
INSERT INTO orders (id) VALUES (3);
COPY orders FROM stdin; -- DEFINES statement copy_orders 27-30
1	a;b
2	it's
\.
GRANT SELECT ON orders TO reader; -- DEFINES statement grant_orders 31-31
CREATE TRIGGER touched BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION total(); -- DEFINES statement touched 32-32
DO $$ BEGIN RAISE NOTICE 'x;'; END $$; -- DEFINES statement do 33-33
SELECT E'it\'s; one', pg_catalog.setval('x', 1, false); -- DEFINES statement select 34-34
UPDATE orders SET note = 'it''s;' WHERE id = 1; -- DEFINES statement update_orders 35-35
WITH late AS (SELECT 1) DELETE FROM orders -- DEFINES statement with_late 36-36
