-- The twelve consistency conditions of TPC-C, clauses 3.3.2.1 to 3.3.2.12. Each query returns the rows that break its condition.
--
-- Most put two tables one below the other and group by their common key: a form every database answers in one pass, and which also finds keys
-- that only one of the two has. Amounts differ if they differ by half a cent or more: for exact decimals that is any difference, for a product
-- that keeps decimals as binary floating point it forgives the last bits.

-- name: 3.3.2.1 W_YTD = sum(D_YTD)
SELECT w, SUM(whole) AS w_ytd, SUM(part) AS sum_d_ytd
FROM (SELECT w_id AS w, w_ytd AS whole, 0 AS part FROM warehouse
  UNION ALL SELECT d_w_id, 0, d_ytd FROM district) AS both_sides
GROUP BY w
HAVING ABS(SUM(whole) - SUM(part)) >= 0.005;

-- A district without outstanding new orders has no max(NO_O_ID) to compare with.
-- name: 3.3.2.2 D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID)
SELECT w, d, MAX(next_o) AS d_next_o_id, MAX(o) AS max_o_id, MAX(no_o) AS max_no_o_id
FROM (SELECT d_w_id AS w, d_id AS d, d_next_o_id AS next_o, 0 AS o, 0 AS no_o FROM district
  UNION ALL SELECT o_w_id, o_d_id, 0, o_id, 0 FROM orders
  UNION ALL SELECT no_w_id, no_d_id, 0, 0, no_o_id FROM new_order) AS all_sides
GROUP BY w, d
HAVING MAX(next_o) - 1 <> MAX(o) OR (MAX(no_o) > 0 AND MAX(no_o) <> MAX(o));

-- name: 3.3.2.3 max(NO_O_ID) - min(NO_O_ID) + 1 = rows in NEW-ORDER
SELECT no_w_id, no_d_id, MIN(no_o_id) AS min_no_o_id, MAX(no_o_id) AS max_no_o_id, COUNT(*) AS new_orders
FROM new_order
GROUP BY no_w_id, no_d_id
HAVING MAX(no_o_id) - MIN(no_o_id) + 1 <> COUNT(*);

-- name: 3.3.2.4 sum(O_OL_CNT) = rows in ORDER-LINE
SELECT w, d, SUM(ol_cnt) AS sum_o_ol_cnt, SUM(line) AS order_lines
FROM (SELECT o_w_id AS w, o_d_id AS d, o_ol_cnt AS ol_cnt, 0 AS line FROM orders
  UNION ALL SELECT ol_w_id, ol_d_id, 0, 1 FROM order_line) AS both_sides
GROUP BY w, d
HAVING SUM(ol_cnt) <> SUM(line);

-- name: 3.3.2.5 O_CARRIER_ID is null if and only if NEW-ORDER has a row
SELECT w, d, o, SUM(waiting) AS without_carrier, SUM(new_order_row) AS new_order_rows
FROM (SELECT o_w_id AS w, o_d_id AS d, o_id AS o, CASE WHEN o_carrier_id IS NULL THEN 1 ELSE 0 END AS waiting, 0 AS new_order_row FROM orders
  UNION ALL SELECT no_w_id, no_d_id, no_o_id, 0, 1 FROM new_order) AS both_sides
GROUP BY w, d, o
HAVING SUM(waiting) <> SUM(new_order_row);

-- name: 3.3.2.6 O_OL_CNT = rows of the order in ORDER-LINE
SELECT w, d, o, SUM(ol_cnt) AS o_ol_cnt, SUM(line) AS order_lines
FROM (SELECT o_w_id AS w, o_d_id AS d, o_id AS o, o_ol_cnt AS ol_cnt, 0 AS line FROM orders
  UNION ALL SELECT ol_w_id, ol_d_id, ol_o_id, 0, 1 FROM order_line) AS both_sides
GROUP BY w, d, o
HAVING SUM(ol_cnt) <> SUM(line);

-- name: 3.3.2.7 OL_DELIVERY_D is null if and only if O_CARRIER_ID is null
SELECT w, d, o, SUM(waiting) AS without_carrier, SUM(line) AS order_lines, SUM(undelivered) AS undelivered_lines
FROM (SELECT o_w_id AS w, o_d_id AS d, o_id AS o, CASE WHEN o_carrier_id IS NULL THEN 1 ELSE 0 END AS waiting, 0 AS line, 0 AS undelivered FROM orders
  UNION ALL SELECT ol_w_id, ol_d_id, ol_o_id, 0, 1, CASE WHEN ol_delivery_d IS NULL THEN 1 ELSE 0 END FROM order_line) AS both_sides
GROUP BY w, d, o
HAVING (SUM(waiting) = 0 AND SUM(undelivered) <> 0) OR (SUM(waiting) > 0 AND SUM(undelivered) <> SUM(line));

-- name: 3.3.2.8 W_YTD = sum(H_AMOUNT)
SELECT w, SUM(ytd) AS w_ytd, SUM(paid) AS sum_h_amount
FROM (SELECT w_id AS w, w_ytd AS ytd, 0 AS paid FROM warehouse
  UNION ALL SELECT h_w_id, 0, h_amount FROM history) AS both_sides
GROUP BY w
HAVING ABS(SUM(ytd) - SUM(paid)) >= 0.005;

-- name: 3.3.2.9 D_YTD = sum(H_AMOUNT)
SELECT w, d, SUM(ytd) AS d_ytd, SUM(paid) AS sum_h_amount
FROM (SELECT d_w_id AS w, d_id AS d, d_ytd AS ytd, 0 AS paid FROM district
  UNION ALL SELECT h_w_id, h_d_id, 0, h_amount FROM history) AS both_sides
GROUP BY w, d
HAVING ABS(SUM(ytd) - SUM(paid)) >= 0.005;

-- name: 3.3.2.10 C_BALANCE = sum(OL_AMOUNT delivered) - sum(H_AMOUNT)
SELECT w, d, c, SUM(balance) AS c_balance, SUM(amount) AS sum_ol_amount, SUM(paid) AS sum_h_amount
FROM (SELECT c_w_id AS w, c_d_id AS d, c_id AS c, c_balance AS balance, 0 AS amount, 0 AS paid FROM customer
  UNION ALL SELECT o_w_id, o_d_id, o_c_id, 0, ol_amount, 0 FROM order_line JOIN orders ON o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id
    WHERE ol_delivery_d IS NOT NULL
  UNION ALL SELECT h_c_w_id, h_c_d_id, h_c_id, 0, 0, h_amount FROM history) AS all_sides
GROUP BY w, d, c
HAVING ABS(SUM(balance) - SUM(amount) + SUM(paid)) >= 0.005;

-- Only right after the load: every delivery takes a row from NEW-ORDER. ${delivered} is 2100 in the population of the specification.
-- name: 3.3.2.11 rows in ORDER - rows in NEW-ORDER = 2100
SELECT w, d, SUM(order_row) AS orders, SUM(new_order_row) AS new_orders
FROM (SELECT o_w_id AS w, o_d_id AS d, 1 AS order_row, 0 AS new_order_row FROM orders
  UNION ALL SELECT no_w_id, no_d_id, 0, 1 FROM new_order) AS both_sides
GROUP BY w, d
HAVING SUM(order_row) - SUM(new_order_row) <> ${delivered};

-- name: 3.3.2.12 C_BALANCE + C_YTD_PAYMENT = sum(OL_AMOUNT delivered)
SELECT w, d, c, SUM(balance) AS c_balance, SUM(ytd_payment) AS c_ytd_payment, SUM(amount) AS sum_ol_amount
FROM (SELECT c_w_id AS w, c_d_id AS d, c_id AS c, c_balance AS balance, c_ytd_payment AS ytd_payment, 0 AS amount FROM customer
  UNION ALL SELECT o_w_id, o_d_id, o_c_id, 0, 0, ol_amount FROM order_line JOIN orders ON o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id
    WHERE ol_delivery_d IS NOT NULL) AS both_sides
GROUP BY w, d, c
HAVING ABS(SUM(balance) + SUM(ytd_payment) - SUM(amount)) >= 0.005;
