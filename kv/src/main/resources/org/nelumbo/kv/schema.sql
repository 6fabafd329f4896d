-- A key of 8 bytes and a value of 40: the key once more, a counter of updates, and three copies of the counter, by which a torn value shows.
-- Only whole keys are looked up, so Nelumbo needs no ordered index here.

CREATE TABLE kv (
  k BIGINT NOT NULL,
  owner BIGINT NOT NULL,
  counter BIGINT NOT NULL,
  copy1 BIGINT NOT NULL,
  copy2 BIGINT NOT NULL,
  copy3 BIGINT NOT NULL,
  PRIMARY KEY (k)
) WITH (ordered = false);
