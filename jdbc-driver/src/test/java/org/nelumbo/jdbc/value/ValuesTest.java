package org.nelumbo.jdbc.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Calendar;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Values of all types and classes, written and read. */
class ValuesTest {
  private static final LocalDateTime MOMENT =
      LocalDateTime.of(2024, 2, 29, 12, 30, 15, 123_456_000);

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=256m");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Stores a value in a column of a type and reads it back as a class. */
  private <T> T through(String type, Object value, Class<T> wanted) throws SQLException {
    run("CREATE TABLE v (id INTEGER PRIMARY KEY, c " + type + ")");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO v VALUES (1, ?)");
        Statement query = connection.createStatement()) {
      insert.setObject(1, value);
      assertEquals(1, insert.executeUpdate());
      try (ResultSet row = query.executeQuery("SELECT c FROM v")) {
        assertTrue(row.next());
        T found = row.getObject("c", wanted);
        assertEquals(found == null, row.wasNull());
        return found;
      }
    } finally {
      run("DROP TABLE v");
    }
  }

  private Object asTarget(Object value, int target) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT ?")) {
      query.setObject(1, value, target);
      try (ResultSet row = query.executeQuery()) {
        assertTrue(row.next());
        return row.getObject(1);
      }
    }
  }

  private static void assertRefused(String state, Executable call) {
    assertEquals(state, assertThrows(SQLException.class, call).getSQLState());
  }

  @Test
  void shouldConvertToTargetTypes() throws SQLException {
    assertEquals(12, asTarget("12", Types.INTEGER));
    assertEquals(13, asTarget(12.7, Types.SMALLINT));
    assertEquals(12L, asTarget("12", Types.BIGINT));
    assertEquals(new BigDecimal("1.5"), asTarget("1.50", Types.NUMERIC));
    assertEquals(1.5, asTarget(new BigDecimal("1.50"), Types.REAL));
    assertEquals("1", asTarget(1, Types.VARCHAR));
    assertEquals(true, asTarget("true", Types.BIT));
    assertEquals(Date.valueOf("2024-02-29"), asTarget("2024-02-29", Types.DATE));
    assertEquals(Date.valueOf("2024-02-29"), asTarget(MOMENT, Types.DATE));
    assertEquals(Timestamp.valueOf(MOMENT), asTarget(MOMENT, Types.TIMESTAMP));
    assertEquals("x", asTarget(CharBuffer.wrap("x"), Types.OTHER));
    assertNull(asTarget(null, Types.DATE));
    assertRefused("22018", () -> asTarget("twelve", Types.INTEGER));
    assertRefused("22003", () -> asTarget("1000", Types.TINYINT));
    assertRefused("0A000", () -> asTarget("a", Types.ARRAY));
  }

  @Test
  void shouldReadStreamsCalendarsAndOffsetsByClass() throws Exception {
    try (Reader reader = through("VARCHAR", 12, Reader.class)) {
      assertEquals('1', reader.read());
    }
    assertArrayEquals(
        new byte[] {7}, through("VARBINARY", new byte[] {7}, InputStream.class).readAllBytes());
    assertEquals(
        MOMENT.atZone(ZoneId.systemDefault()).toInstant().truncatedTo(ChronoUnit.MILLIS),
        through("TIMESTAMP(6)", MOMENT, Calendar.class).toInstant());
    OffsetTime time = through("TIME", OffsetTime.parse("10:15:30+05:00"), OffsetTime.class);
    assertEquals(LocalTime.of(10, 15, 30), time.toLocalTime());
  }

  @Test
  void shouldPassDatesAndTimesOfAllClasses() throws SQLException {
    LocalDate day = MOMENT.toLocalDate();
    assertEquals(day, through("DATE", day, LocalDate.class));
    assertEquals(Date.valueOf(day), through("DATE", Date.valueOf(day), Date.class));
    assertEquals(day, through("DATE", "2024-02-29", LocalDate.class));
    assertEquals(day.atStartOfDay(), through("DATE", day, LocalDateTime.class));
    assertEquals(
        LocalTime.of(12, 30, 15), through("TIME", Time.valueOf("12:30:15"), LocalTime.class));
    assertEquals(MOMENT, through("TIMESTAMP(6)", MOMENT, LocalDateTime.class));
    assertEquals(MOMENT, through("TIMESTAMP(6)", Timestamp.valueOf(MOMENT), LocalDateTime.class));
    assertEquals(Timestamp.valueOf(MOMENT), through("TIMESTAMP(6)", MOMENT, Timestamp.class));
    assertEquals("2024-02-29 12:30:15.123456", through("TIMESTAMP(6)", MOMENT, String.class));
    Instant instant = MOMENT.toInstant(ZoneOffset.UTC);
    String moment = "TIMESTAMP(6) WITH LOCAL TIME ZONE";
    assertEquals(instant, through(moment, instant, Instant.class));
    OffsetDateTime offset = instant.atOffset(ZoneOffset.ofHours(5));
    assertEquals(instant, through(moment, offset, OffsetDateTime.class).toInstant());
    ZonedDateTime zoned = instant.atZone(ZoneOffset.ofHours(-7));
    assertEquals(instant, through(moment, zoned, ZonedDateTime.class).toInstant());
    assertEquals(instant, through(moment, Timestamp.from(instant), Timestamp.class).toInstant());
    ZoneId here = ZoneId.systemDefault();
    String text = instant.atZone(here).toLocalDateTime().toString().replace('T', ' ');
    for (Object value :
        new Object[] {offset, zoned, text, text + "Z", instant + "", text + "+05"}) {
      Instant wanted =
          value.toString().endsWith("+05") && value instanceof String
              ? LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.ofHours(5))
              : value.equals(text + "Z")
                  ? LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC)
                  : instant;
      assertEquals(wanted, through("TIMESTAMPTZ", value, Instant.class), value.toString());
    }
    String shown = through("TIMESTAMP(6) WITH TIME ZONE", instant, String.class);
    assertTrue(shown.matches(java.util.regex.Pattern.quote(text) + "[+-]\\d\\d(:\\d\\d)*"), shown);
    assertEquals(instant, through("TIMESTAMPTZ", shown, Instant.class));
    Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
    assertEquals(calendar.toInstant(), through(moment, calendar, java.util.Date.class).toInstant());
    assertEquals(
        calendar.getTime(), through("TIMESTAMP(6)", calendar.getTime(), java.util.Date.class));
  }

  @Test
  void shouldPassNumbersOfAllClasses() throws SQLException {
    for (String type :
        new String[] {
          "TINYINT",
          "SMALLINT",
          "INTEGER",
          "BIGINT",
          "REAL",
          "DOUBLE",
          "DECIMAL(5)",
          "NUMERIC",
          "VARCHAR(9)"
        }) {
      for (Object value :
          new Object[] {
            (byte) 42, (short) 42, 42, 42L, 42f, 42d, new BigDecimal("42"), BigInteger.valueOf(42),
          }) {
        String what = type + " " + value.getClass();
        assertEquals(42, through(type, value, Double.class), what);
        assertEquals(42, through(type, value, Integer.class), what);
        assertEquals(0, through(type, value, BigDecimal.class).compareTo(BigDecimal.valueOf(42)));
      }
      assertEquals((byte) 42, through(type, "42", Byte.class), type);
      assertEquals((short) 42, through(type, 42, Short.class), type);
      assertEquals(42L, through(type, 42, Long.class), type);
      assertEquals(42f, through(type, 42, Float.class), type);
      assertEquals(BigInteger.valueOf(42), through(type, 42, BigInteger.class), type);
      assertNull(through(type, null, Integer.class), type);
    }
    assertTrue(through("BOOLEAN", true, Boolean.class));
    assertTrue(through("BOOLEAN", 1, Boolean.class));
    assertFalse(through("VARCHAR(5)", false, Boolean.class));
    assertEquals("22003", state(() -> through("INTEGER", 300, Byte.class)));
    assertEquals("22003", state(() -> through("TINYINT", 300, Byte.class)));
    assertEquals("22018", state(() -> through("VARCHAR(5)", "x", Integer.class)));
  }

  @Test
  void shouldKeepAllDigitsOfUnboundedNumerics() throws SQLException {
    BigDecimal many = new BigDecimal("-1234567890123456789012345678901234567890.000012345");
    for (Object value : new Object[] {many, many.toString()}) {
      assertEquals(many, through("NUMERIC", value, BigDecimal.class));
      assertEquals(many.toString(), through("DECIMAL", value, String.class));
    }
    assertEquals(new BigDecimal("1.25"), through("NUMERIC", 1.25, BigDecimal.class));
    assertEquals(new BigDecimal("10"), through("NUMERIC", new BigDecimal("10.00"), Object.class));
    BigDecimal least = BigDecimal.ONE.movePointLeft(1_000);
    assertEquals(least, through("NUMERIC", least, BigDecimal.class));
    assertEquals("22003", state(() -> through("NUMERIC", new BigDecimal("1e1000"), Object.class)));
    assertEquals("0", through("NUMERIC", new BigDecimal("1e-1000000000"), String.class));
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT CAST(1.5 AS NUMERIC) + 1")) {
      assertTrue(row.next());
      ResultSetMetaData metadata = row.getMetaData();
      assertEquals(java.sql.Types.NUMERIC, metadata.getColumnType(1));
      assertEquals("NUMERIC", metadata.getColumnTypeName(1));
      assertEquals("java.math.BigDecimal", metadata.getColumnClassName(1));
      assertEquals(0, metadata.getPrecision(1));
      assertEquals("2.5", row.getString(1));
    }
  }

  private static String state(org.junit.jupiter.api.function.Executable action) {
    return assertThrows(SQLException.class, action).getSQLState();
  }

  @Test
  void shouldPassUuids() throws SQLException {
    UUID uuid = UUID.randomUUID();
    for (Object value : new Object[] {uuid, uuid.toString(), "{" + uuid + "}"}) {
      assertEquals(uuid, through("UUID", value, UUID.class));
      assertEquals(uuid, through("UUID", value, Object.class));
      assertEquals(uuid.toString(), through("UUID", value, String.class));
      assertEquals(16, through("UUID", value, byte[].class).length);
    }
    assertNull(through("UUID", null, UUID.class));
    assertEquals("22018", state(() -> through("UUID", "no uuid", UUID.class)));
    assertEquals("22018", state(() -> through("UUID", 1, UUID.class)));
    assertEquals("22018", state(() -> through("INTEGER", uuid, Object.class)));
    assertEquals(uuid, through("VARCHAR(36)", uuid, UUID.class));
    assertEquals(uuid.toString(), through("CHAR(36)", uuid, String.class));
    assertEquals(uuid, through("BINARY(16)", uuid, UUID.class));
    assertEquals(16, through("VARBINARY(16)", uuid, byte[].class).length);
    assertEquals("22018", state(() -> through("VARCHAR(36)", "no uuid", UUID.class)));
    assertEquals("22018", state(() -> through("VARBINARY(3)", new byte[3], UUID.class)));
  }

  @Test
  void shouldReturnClassesStatedByMetadata() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT CAST(1 AS TINYINT), CAST(1 AS SMALLINT), 1, CAST(1 AS BIGINT),"
                    + " CAST(1 AS REAL), 1e0, 1.5, TRUE, 'c', CAST('v' AS VARCHAR(3)), X'01',"
                    + " DATE '2024-02-29', TIME '01:02:03', TIMESTAMP '2024-02-29 01:02:03',"
                    + " RANDOM_UUID(), CAST(1.5 AS NUMERIC)")) {
      assertTrue(row.next());
      ResultSetMetaData metadata = row.getMetaData();
      for (int i = 1; i <= metadata.getColumnCount(); i++) {
        Object value = row.getObject(i);
        assertEquals(
            metadata.getColumnClassName(i), value.getClass().getTypeName().replace("byte[]", "[B"));
        assertEquals(value.getClass(), row.getObject(i, value.getClass()).getClass());
      }
      assertInstanceOf(Integer.class, row.getObject(1));
      assertInstanceOf(Integer.class, row.getObject(2));
    }
  }

  @Test
  void shouldFindColumnsByLabelInAnyCase() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT 1 AS total, 2 AS \"Mixed\", 3 AS \"mixed\", 4 AS total")) {
      assertTrue(row.next());
      assertEquals(1, row.getInt("Total"));
      assertEquals(1, row.getLong("TOTAL"), "the first of that name");
      assertEquals(2, row.getInt("Mixed"));
      assertEquals(3, row.getInt("mixed"));
      assertEquals("1", row.getString("total"));
      assertEquals("42S22", state(() -> row.getInt("nosuch")));
      assertEquals("07009", state(() -> row.getInt(0)));
      assertEquals("07009", state(() -> row.getInt(5)));
    }
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  void shouldPassLargeBytesAndTextThroughStreams() throws Exception {
    run("CREATE TABLE b (id INTEGER PRIMARY KEY, x VARBINARY(60000), s VARCHAR(60000))");
    byte[] bytes = noise(50_000);
    String text = "äb©".repeat(10_000);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO b VALUES (?, ?, ?)")) {
      insert.setInt(1, 1);
      insert.setBinaryStream(2, new ByteArrayInputStream(bytes));
      insert.setCharacterStream(3, new StringReader(text));
      insert.executeUpdate();
      insert.setInt(1, 2);
      insert.setBinaryStream(2, new ByteArrayInputStream(bytes), 10);
      insert.setCharacterStream(3, new StringReader(text), 4L);
      insert.executeUpdate();
      insert.setInt(1, 3);
      insert.setNull(2, Types.VARBINARY);
      insert.setClob(3, (Clob) null);
      insert.executeUpdate();
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT x, s FROM b ORDER BY id")) {
      assertTrue(row.next());
      assertArrayEquals(bytes, row.getBinaryStream(1).readAllBytes());
      assertArrayEquals(bytes, row.getObject(1, byte[].class));
      assertEquals(text, row.getString(2));
      try (java.io.Reader reader = row.getCharacterStream(2)) {
        assertEquals(text, reader.readAllAsString());
      }
      assertTrue(row.next());
      assertEquals(10, row.getBytes(1).length);
      assertEquals("äb©ä", row.getString(2));
      assertTrue(row.next());
      assertNull(row.getBinaryStream(1));
      assertTrue(row.wasNull());
      assertNull(row.getClob(2));
      assertTrue(row.wasNull());
    }
  }

  @Test
  void shouldPassLargeObjects() throws Exception {
    byte[] bytes = noise(3000);
    Blob blob = connection.createBlob();
    try (java.io.OutputStream out = blob.setBinaryStream(1)) {
      out.write(bytes);
    }
    assertEquals(3000, blob.length());
    assertEquals(101, blob.position(java.util.Arrays.copyOfRange(bytes, 100, 120), 1));
    Clob clob = connection.createClob();
    assertEquals(5, clob.setString(1, "lotus"));
    assertEquals(3, clob.setString(6, "xyz", 0, 3));
    clob.truncate(7);
    assertEquals(6, clob.position("xy", 1));
    Blob read = through("VARBINARY(4000)", blob, Blob.class);
    assertArrayEquals(bytes, read.getBytes(1, 10_000));
    assertArrayEquals(new byte[] {bytes[1]}, read.getBinaryStream(2, 1).readAllBytes());
    Clob text = through("VARCHAR(10)", clob, Clob.class);
    assertEquals("lotusxy", text.getSubString(1, (int) text.length()));
    assertArrayEquals(
        "lotusxy".getBytes(StandardCharsets.US_ASCII), text.getAsciiStream().readAllBytes());
    text.free();
    assertThrows(SQLException.class, text::length);
    assertThrows(SQLException.class, () -> read.getBytes(3002, 1));
  }

  @Test
  void shouldAcceptTargetTypesAsIntOrSqlType() throws SQLException {
    run("CREATE TABLE v (id INTEGER PRIMARY KEY, d DECIMAL(8, 2), s VARCHAR(10), t DATE)");
    try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO v VALUES (?, ?, ?, ?)");
        Statement query = connection.createStatement()) {
      insert.setObject(1, "7", Types.INTEGER);
      insert.setObject(2, new BigDecimal("1.255"), JDBCType.DECIMAL, 1);
      insert.setObject(3, 12, JDBCType.VARCHAR);
      insert.setObject(4, "2024-02-29", JDBCType.DATE);
      insert.executeUpdate();
      try (ResultSet row = query.executeQuery("SELECT * FROM v")) {
        assertTrue(row.next());
        assertEquals(7, row.getInt("id"));
        assertEquals(new BigDecimal("1.30"), row.getBigDecimal("d"));
        assertEquals("12", row.getString("s"));
        assertEquals(LocalDate.of(2024, 2, 29), row.getObject("t", LocalDate.class));
      }
    }
  }

  @Test
  void shouldReportNullFromEveryGetter() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT CAST(NULL AS INTEGER) AS n, CAST(NULL AS DATE) AS d")) {
      assertTrue(row.next());
      assertEquals(0, row.getLong("n"));
      assertTrue(row.wasNull());
      assertEquals(0.0, row.getDouble("n"));
      assertFalse(row.getBoolean("n"));
      assertNull(row.getBigDecimal("n"));
      assertNull(row.getObject("n", Integer.class));
      assertNull(row.getDate("d"));
      assertNull(row.getTimestamp("d"));
      assertNull(row.getObject("d", LocalDate.class));
      assertTrue(row.wasNull());
    }
  }
}
