-- name: subscriber
SELECT COUNT(*) FROM subscriber;

-- name: access_info
SELECT COUNT(*) FROM access_info;

-- name: special_facility
SELECT COUNT(*) FROM special_facility;

-- name: call_forwarding
SELECT COUNT(*) FROM call_forwarding;
