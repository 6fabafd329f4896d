-- TATP's four tables with their foreign keys. Subscribers are found by number (s_id) or by the 15 digits of their telephone number (sub_nbr).

CREATE TABLE subscriber (
  s_id INTEGER NOT NULL,
  sub_nbr VARCHAR(15) NOT NULL,
  bit_1 SMALLINT NOT NULL,
  bit_2 SMALLINT NOT NULL,
  bit_3 SMALLINT NOT NULL,
  bit_4 SMALLINT NOT NULL,
  bit_5 SMALLINT NOT NULL,
  bit_6 SMALLINT NOT NULL,
  bit_7 SMALLINT NOT NULL,
  bit_8 SMALLINT NOT NULL,
  bit_9 SMALLINT NOT NULL,
  bit_10 SMALLINT NOT NULL,
  hex_1 SMALLINT NOT NULL,
  hex_2 SMALLINT NOT NULL,
  hex_3 SMALLINT NOT NULL,
  hex_4 SMALLINT NOT NULL,
  hex_5 SMALLINT NOT NULL,
  hex_6 SMALLINT NOT NULL,
  hex_7 SMALLINT NOT NULL,
  hex_8 SMALLINT NOT NULL,
  hex_9 SMALLINT NOT NULL,
  hex_10 SMALLINT NOT NULL,
  byte2_1 SMALLINT NOT NULL,
  byte2_2 SMALLINT NOT NULL,
  byte2_3 SMALLINT NOT NULL,
  byte2_4 SMALLINT NOT NULL,
  byte2_5 SMALLINT NOT NULL,
  byte2_6 SMALLINT NOT NULL,
  byte2_7 SMALLINT NOT NULL,
  byte2_8 SMALLINT NOT NULL,
  byte2_9 SMALLINT NOT NULL,
  byte2_10 SMALLINT NOT NULL,
  msc_location INTEGER NOT NULL,
  vlr_location INTEGER NOT NULL,
  PRIMARY KEY (s_id)
);

CREATE UNIQUE INDEX subscriber_by_number ON subscriber (sub_nbr);

CREATE TABLE access_info (
  s_id INTEGER NOT NULL,
  ai_type SMALLINT NOT NULL,
  data1 SMALLINT NOT NULL,
  data2 SMALLINT NOT NULL,
  data3 CHAR(3) NOT NULL,
  data4 CHAR(5) NOT NULL,
  PRIMARY KEY (s_id, ai_type),
  CONSTRAINT access_info_of FOREIGN KEY (s_id) REFERENCES subscriber (s_id)
);

CREATE TABLE special_facility (
  s_id INTEGER NOT NULL,
  sf_type SMALLINT NOT NULL,
  is_active SMALLINT NOT NULL,
  error_cntrl SMALLINT NOT NULL,
  data_a SMALLINT NOT NULL,
  data_b CHAR(5) NOT NULL,
  PRIMARY KEY (s_id, sf_type),
  CONSTRAINT special_facility_of FOREIGN KEY (s_id) REFERENCES subscriber (s_id)
);

CREATE TABLE call_forwarding (
  s_id INTEGER NOT NULL,
  sf_type SMALLINT NOT NULL,
  start_time SMALLINT NOT NULL,
  end_time SMALLINT NOT NULL,
  numberx VARCHAR(15) NOT NULL,
  PRIMARY KEY (s_id, sf_type, start_time),
  CONSTRAINT call_forwarding_of FOREIGN KEY (s_id, sf_type) REFERENCES special_facility (s_id, sf_type)
);
