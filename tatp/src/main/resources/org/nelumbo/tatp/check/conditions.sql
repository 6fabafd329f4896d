-- Each query returns the rows that break its condition.

-- name: every subscriber has 1 to 4 rows of access info and 1 to 4 special facilities, and no others exist
SELECT s, SUM(sub) AS subscribers, SUM(ai) AS access_infos, SUM(sf) AS special_facilities
FROM (SELECT s_id AS s, 1 AS sub, 0 AS ai, 0 AS sf FROM subscriber
  UNION ALL SELECT s_id, 0, 1, 0 FROM access_info
  UNION ALL SELECT s_id, 0, 0, 1 FROM special_facility) AS all_rows
GROUP BY s
HAVING SUM(sub) <> 1 OR SUM(ai) < 1 OR SUM(ai) > 4 OR SUM(sf) < 1 OR SUM(sf) > 4;

-- name: call forwarding belongs to a special facility, three at most to each
SELECT s, t, SUM(facility) AS special_facilities, SUM(forwarding) AS call_forwardings
FROM (SELECT s_id AS s, sf_type AS t, 1 AS facility, 0 AS forwarding FROM special_facility
  UNION ALL SELECT s_id, sf_type, 0, 1 FROM call_forwarding) AS both_sides
GROUP BY s, t
HAVING SUM(facility) <> 1 OR SUM(forwarding) > 3;

-- name: call forwarding starts at 0, 8 or 16, once at each
SELECT s_id, sf_type, start_time, COUNT(*) AS times FROM call_forwarding
GROUP BY s_id, sf_type, start_time
HAVING COUNT(*) > 1 OR (start_time <> 0 AND start_time <> 8 AND start_time <> 16);

-- The transactions draw the end by itself, so it may lie before the start.
-- name: call forwarding ends 1 to 8 hours after it starts
SELECT s_id, sf_type, start_time, end_time FROM call_forwarding WHERE end_time <= start_time OR end_time > start_time + 8;

-- name: telephone numbers are the subscriber's number with zeros before it
SELECT s_id, sub_nbr FROM subscriber WHERE CAST(sub_nbr AS DECIMAL(15)) <> s_id;

-- name: types lie between 1 and 4
SELECT s_id, ai_type AS type FROM access_info WHERE ai_type < 1 OR ai_type > 4
UNION ALL SELECT s_id, sf_type FROM special_facility WHERE sf_type < 1 OR sf_type > 4;
