-- The foreign keys of clause 1.3, added after the load on request. The specification does not demand that they be declared.

ALTER TABLE district ADD CONSTRAINT district_of FOREIGN KEY (d_w_id) REFERENCES warehouse (w_id);

ALTER TABLE customer ADD CONSTRAINT customer_of FOREIGN KEY (c_w_id, c_d_id) REFERENCES district (d_w_id, d_id);

ALTER TABLE history ADD CONSTRAINT history_of FOREIGN KEY (h_c_w_id, h_c_d_id, h_c_id) REFERENCES customer (c_w_id, c_d_id, c_id);

ALTER TABLE history ADD CONSTRAINT history_at FOREIGN KEY (h_w_id, h_d_id) REFERENCES district (d_w_id, d_id);

ALTER TABLE orders ADD CONSTRAINT order_of FOREIGN KEY (o_w_id, o_d_id, o_c_id) REFERENCES customer (c_w_id, c_d_id, c_id);

ALTER TABLE new_order ADD CONSTRAINT new_order_of FOREIGN KEY (no_w_id, no_d_id, no_o_id) REFERENCES orders (o_w_id, o_d_id, o_id);

ALTER TABLE stock ADD CONSTRAINT stock_at FOREIGN KEY (s_w_id) REFERENCES warehouse (w_id);

ALTER TABLE stock ADD CONSTRAINT stock_of FOREIGN KEY (s_i_id) REFERENCES item (i_id);

ALTER TABLE order_line ADD CONSTRAINT line_of FOREIGN KEY (ol_w_id, ol_d_id, ol_o_id) REFERENCES orders (o_w_id, o_d_id, o_id);

ALTER TABLE order_line ADD CONSTRAINT line_from FOREIGN KEY (ol_supply_w_id, ol_i_id) REFERENCES stock (s_w_id, s_i_id);
