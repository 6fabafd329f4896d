-- name: all money
SELECT SUM(bal) FROM (SELECT bal FROM savings UNION ALL SELECT bal FROM checking) AS all_accounts;
