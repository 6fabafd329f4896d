-- The conditions for the two tables of the prototypes. ${customers} is the number of customers loaded.

-- name: every customer has a savings and a checking account
SELECT c, SUM(s) AS savings_rows, SUM(k) AS checking_rows
FROM (SELECT custid AS c, 1 AS s, 0 AS k FROM savings
  UNION ALL SELECT custid, 0, 1 FROM checking) AS all_rows
GROUP BY c
HAVING SUM(s) <> 1 OR SUM(k) <> 1;

-- name: no customer came or went
SELECT COUNT(*) AS customers FROM savings HAVING COUNT(*) <> ${customers};

-- name: no savings account is overdrawn
SELECT custid, bal FROM savings WHERE bal < -0.005;
