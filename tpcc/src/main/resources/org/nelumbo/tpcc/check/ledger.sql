-- What the database holds of the transactions the terminals were told have committed.

-- name: new orders
SELECT SUM(d_next_o_id) FROM district;

-- name: payments
SELECT COUNT(*) FROM history;
