-- The statements of YCSB's operations. ${field} is the field that is written.

-- name: read
SELECT field0, field1, field2, field3, field4, field5, field6, field7, field8, field9 FROM usertable WHERE ycsb_key = ?;

-- name: read_to_change
SELECT field0, field1, field2, field3, field4, field5, field6, field7, field8, field9 FROM usertable WHERE ycsb_key = ? ${forUpdate};

-- name: update
UPDATE usertable SET ${field} = ? WHERE ycsb_key = ?;

-- name: scan
SELECT ycsb_key, field0, field1, field2, field3, field4, field5, field6, field7, field8, field9 FROM usertable
WHERE ycsb_key >= ? ORDER BY ycsb_key LIMIT ?;

-- name: insert
INSERT INTO usertable (ycsb_key, field0, field1, field2, field3, field4, field5, field6, field7, field8, field9) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
