-- Each query returns the rows that break its condition. ${keys} is the number of keys loaded.

-- name: every value carries its key
SELECT k, owner FROM kv WHERE owner <> k;

-- name: every value is whole
SELECT k, counter, copy1, copy2, copy3 FROM kv WHERE copy1 <> counter OR copy2 <> counter OR copy3 <> counter;

-- name: no key came or went
SELECT COUNT(*) AS there, MIN(k) AS first_key, MAX(k) AS last_key FROM kv
HAVING COUNT(*) <> ${keys} OR MIN(k) <> 0 OR MAX(k) <> ${keys} - 1;
