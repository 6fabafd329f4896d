-- What the CH-benCHmark has besides the tables of TPC-C.

CREATE TABLE region (
  r_regionkey INTEGER NOT NULL PRIMARY KEY,
  r_name VARCHAR(55) NOT NULL,
  r_comment VARCHAR(152) NOT NULL
);

CREATE TABLE nation (
  n_nationkey INTEGER NOT NULL PRIMARY KEY,
  n_name VARCHAR(25) NOT NULL,
  n_regionkey INTEGER NOT NULL,
  n_comment VARCHAR(152) NOT NULL
);

CREATE TABLE supplier (
  su_suppkey INTEGER NOT NULL PRIMARY KEY,
  su_name VARCHAR(25) NOT NULL,
  su_address VARCHAR(40) NOT NULL,
  su_nationkey INTEGER NOT NULL,
  su_phone VARCHAR(15) NOT NULL,
  su_acctbal DECIMAL(12, 2) NOT NULL,
  su_comment VARCHAR(101) NOT NULL
);
