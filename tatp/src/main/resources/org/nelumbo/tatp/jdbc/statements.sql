-- The statements of the seven transactions. Column lists and parameters are in the order the code reads and binds them.
-- A file statements-<product>.sql beside this one may hold another form of single statements.

-- name: get_subscriber_data
SELECT s_id, sub_nbr, bit_1, bit_2, bit_3, bit_4, bit_5, bit_6, bit_7, bit_8, bit_9, bit_10,
  hex_1, hex_2, hex_3, hex_4, hex_5, hex_6, hex_7, hex_8, hex_9, hex_10,
  byte2_1, byte2_2, byte2_3, byte2_4, byte2_5, byte2_6, byte2_7, byte2_8, byte2_9, byte2_10,
  msc_location, vlr_location
FROM subscriber WHERE s_id = ?;

-- name: get_new_destination
SELECT cf.numberx FROM special_facility sf JOIN call_forwarding cf ON cf.s_id = sf.s_id AND cf.sf_type = sf.sf_type
WHERE sf.s_id = ? AND sf.sf_type = ? AND sf.is_active = 1 AND cf.start_time <= ? AND cf.end_time > ?;

-- name: get_access_data
SELECT data1, data2, data3, data4 FROM access_info WHERE s_id = ? AND ai_type = ?;

-- name: update_subscriber_data.bit
UPDATE subscriber SET bit_1 = ? WHERE s_id = ?;

-- name: update_subscriber_data.facility
UPDATE special_facility SET data_a = ? WHERE s_id = ? AND sf_type = ?;

-- name: update_location
UPDATE subscriber SET vlr_location = ? WHERE sub_nbr = ?;

-- name: subscriber
SELECT s_id FROM subscriber WHERE sub_nbr = ?;

-- name: insert_call_forwarding.facilities
SELECT sf_type FROM special_facility WHERE s_id = ?;

-- name: insert_call_forwarding.insert
INSERT INTO call_forwarding (s_id, sf_type, start_time, end_time, numberx) VALUES (?, ?, ?, ?, ?);

-- name: delete_call_forwarding.delete
DELETE FROM call_forwarding WHERE s_id = ? AND sf_type = ? AND start_time = ?;
