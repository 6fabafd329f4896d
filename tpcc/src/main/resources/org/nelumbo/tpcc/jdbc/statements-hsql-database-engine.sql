-- HSQLDB finds the first row through the primary key only if it is told the whole order of the key; else it sorts all rows of the district.

-- name: delivery.oldest
SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_w_id, no_d_id, no_o_id ${limitOne};
