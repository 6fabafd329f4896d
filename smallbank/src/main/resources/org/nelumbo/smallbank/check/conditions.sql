-- Each query returns the rows that break its condition. ${customers} is the number of customers loaded.

-- name: every customer has a name, a savings and a checking account
SELECT c, SUM(a) AS accounts_rows, SUM(s) AS savings_rows, SUM(k) AS checking_rows
FROM (SELECT custid AS c, 1 AS a, 0 AS s, 0 AS k FROM accounts
  UNION ALL SELECT custid, 0, 1, 0 FROM savings
  UNION ALL SELECT custid, 0, 0, 1 FROM checking) AS all_rows
GROUP BY c
HAVING SUM(a) <> 1 OR SUM(s) <> 1 OR SUM(k) <> 1;

-- name: no customer came or went
SELECT COUNT(*) AS customers FROM accounts HAVING COUNT(*) <> ${customers};

-- Half a cent is forgiven: some products keep decimals as binary floating point.
-- name: no savings account is overdrawn
SELECT custid, bal FROM savings WHERE bal < -0.005;
