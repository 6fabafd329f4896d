-- The statements of the five transactions, clauses 2.4 to 2.8. Column lists and parameters are in the order the code reads and binds them.
-- A file statements-<product>.sql beside this one may hold another form of single statements for a product that needs it.

-- New-Order, 2.4

-- name: new_order.warehouse
SELECT w_tax FROM warehouse WHERE w_id = ?;

-- name: new_order.district
SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? ${forUpdate};

-- name: new_order.next_order
UPDATE district SET d_next_o_id = ? WHERE d_w_id = ? AND d_id = ?;

-- name: new_order.customer
SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?;

-- name: new_order.order
INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)
VALUES (?, ?, ?, ?, ?, NULL, ?, ?);

-- name: new_order.new_order
INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?);

-- name: new_order.item
SELECT i_price, i_name, i_data FROM item WHERE i_id = ?;

-- name: new_order.stock
-- ${dist} is the column of the district, s_dist_01 to s_dist_10
SELECT s_quantity, s_data, ${dist} FROM stock WHERE s_w_id = ? AND s_i_id = ? ${forUpdate};

-- name: new_order.items
-- of all lines; ${keys} are parameters for 15 lines
SELECT i_id, i_price, i_name, i_data FROM item WHERE i_id IN (${keys});

-- name: new_order.stocks
-- likewise, each a pair
SELECT s_w_id, s_i_id, s_quantity, s_data, ${dist} FROM stock WHERE (s_w_id, s_i_id) IN (${keys}) ${forUpdate};

-- name: new_order.take
UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + ?
WHERE s_w_id = ? AND s_i_id = ?;

-- name: new_order.line
INSERT INTO order_line
(ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, ol_dist_info)
VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?);

-- Payment, 2.5

-- name: payment.warehouse_pays
UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?;

-- name: payment.warehouse
SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?;

-- name: payment.district_pays
UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?;

-- name: payment.district
SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM district WHERE d_w_id = ? AND d_id = ?;

-- name: payment.customer
SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_since, c_credit,
c_credit_lim, c_discount, c_balance
FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? ${forUpdate};

-- name: payment.customer_pays
UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = c_payment_cnt + 1
WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?;

-- name: payment.data
SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?;

-- name: payment.bad_customer_pays
UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = c_payment_cnt + 1,
c_data = ?
WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?;

-- name: payment.history
INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- Payment and Order-Status, 2.5.2.2 and 2.6.2.2

-- name: customers_of_name
SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first;

-- Order-Status, 2.6

-- name: order_status.customer
SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?;

-- The prototypes show any order instead of the customer's last.
-- name: order_status.any_order
SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?;

-- name: order_status.last_order
SELECT o_id, o_entry_d, o_carrier_id FROM orders
WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ORDER BY o_id DESC ${limitOne};

-- name: order_status.lines
SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line
WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?;

-- Delivery, 2.7

-- name: delivery.oldest
SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id ${limitOne};

-- The prototypes deliver any order instead of the oldest.
-- name: delivery.any
SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ? ${forUpdate};

-- name: delivery.take
DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?;

-- name: delivery.customer_of_order
SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?;

-- name: delivery.carry
UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?;

-- name: delivery.amount
SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?;

-- name: delivery.deliver_lines
UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?;

-- name: delivery.charge
UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1
WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?;

-- Stock-Level, 2.8

-- name: stock_level.next_order
SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?;

-- name: stock_level.low_stock
SELECT COUNT(DISTINCT s_i_id) FROM order_line JOIN stock ON s_i_id = ol_i_id
WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? AND ol_o_id >= ? AND s_w_id = ? AND s_quantity < ?;
