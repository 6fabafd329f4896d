-- SmallBank's three tables: a customer is found by name, and has a savings and a checking account under a number.

CREATE TABLE accounts (
  name VARCHAR(64) NOT NULL,
  custid BIGINT NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE savings (
  custid BIGINT NOT NULL,
  bal DECIMAL(15, 2) NOT NULL,
  PRIMARY KEY (custid)
);

CREATE TABLE checking (
  custid BIGINT NOT NULL,
  bal DECIMAL(15, 2) NOT NULL,
  PRIMARY KEY (custid)
);
