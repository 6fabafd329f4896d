-- what a shop begins with
CREATE TABLE item (id SERIAL PRIMARY KEY, name VARCHAR(20) NOT NULL UNIQUE, price DECIMAL(8, 2));
CREATE INDEX item_price ON item (price);
INSERT INTO item (name, price) VALUES ('a;b', 1), ('it''s', 2); /* a ; in a comment */
