-- The statements of the two transactions. Columns are in the order the code reads them.

-- name: read_one
SELECT owner, counter, copy1, copy2, copy3 FROM kv WHERE k = ?;

-- name: update_one
UPDATE kv SET counter = counter + 1, copy1 = copy1 + 1, copy2 = copy2 + 1, copy3 = copy3 + 1 WHERE k = ?;
