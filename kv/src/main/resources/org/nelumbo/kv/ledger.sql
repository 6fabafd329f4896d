-- name: updates
SELECT SUM(counter) FROM kv;
