-- The two tables of the prototypes: customers come with their number, records of 8 + 8 bytes.

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
