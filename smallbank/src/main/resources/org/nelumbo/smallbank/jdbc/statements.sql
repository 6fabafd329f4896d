-- The statements of the six transactions. A file statements-<product>.sql beside this one may hold another form of single statements.

-- name: customer
SELECT custid FROM accounts WHERE name = ?;

-- name: savings
SELECT bal FROM savings WHERE custid = ?;

-- name: savings_to_change
SELECT bal FROM savings WHERE custid = ? ${forUpdate};

-- name: checking
SELECT bal FROM checking WHERE custid = ?;

-- name: checking_to_change
SELECT bal FROM checking WHERE custid = ? ${forUpdate};

-- name: add_to_savings
UPDATE savings SET bal = bal + ? WHERE custid = ?;

-- name: add_to_checking
UPDATE checking SET bal = bal + ? WHERE custid = ?;
