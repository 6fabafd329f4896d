-- a comment
SELECT 1;

-- name: second one
-- more about it
SELECT 2
FROM t;
