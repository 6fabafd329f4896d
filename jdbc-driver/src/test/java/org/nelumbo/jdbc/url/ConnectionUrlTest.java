package org.nelumbo.jdbc.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.jdbc.NelumboDataSource;
import org.nelumbo.jdbc.NelumboDriver;
import org.nelumbo.jdbc.Statements;
import org.nelumbo.jdbc.connection.NelumboConnection;

/** Invalid URLs and properties fail with 08001 and the reason. */
class ConnectionUrlTest {
  private static String refusal(String url) {
    SQLException failure =
        assertThrows(SQLException.class, () -> new NelumboDriver().connect(url, new Properties()));
    assertEquals("08001", failure.getSQLState(), failure::toString);
    assertFalse(failure.getMessage().contains("please report"), failure::toString);
    return failure.getMessage();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          queryTimeout=99999999999999999999,     queryTimeout; it is at most 3153600000000ms
          lockTimeout=9223372036854775807h,      lockTimeout; it is at most 876000h
          snapshotRetention=9223372036854775807, snapshotRetention; it is at most
          memory=9..9g,                          write for example 512m
          memory=99999999999999999999,           it is at most 1024t
          memory=16777216t,                      it is at most 1024t
          memory=8388608t,                       it is at most 1024t
          memory=0,                              memory must be positive
          memory=2t,                             1 TiB
          recordCache=9223372036854775808,       it is at most 1024t
          memory=١m,                        write for example 512m
          lockTimeout=٥s,                   write for example 500ms
          protocol=motor,                        protocol motor is not supported
          schema=nowhere,                        Schema 'nowhere' not found
          versions=17,                           1 to 16
          """,
      quoteCharacter = '"')
  void shouldReportInvalidPropertyValue(String property, String message) {
    String refusal = refusal("jdbc:nelumbo:mem:?" + property);
    assertTrue(refusal.contains(message), refusal);
  }

  @Test
  void shouldAcceptLongestTimeouts() throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:nelumbo:mem:?memory=8m&queryTimeout=876000h&lockTimeout=876000h"
                + "&snapshotRetention=876000h")) {
      assertEquals(1, Statements.number(connection, "VALUES 1"));
    }
  }

  @Test
  void shouldReportInvalidRdmaUrl() {
    String refusal = refusal("jdbc:nelumbo://127.0.0.1:1/db?rdmaDevice=mlx5_0");
    assertTrue(refusal.contains("rdmaDevice= is for a pool over RDMA"), refusal);
    refusal = refusal("jdbc:nelumbo:rdma://127.0.0.1:1/db?rdmaDevice=mlx5_0:a");
    assertTrue(refusal.contains("write DEVICE or DEVICE:GID"), refusal);
    refusal = refusal("jdbc:nelumbo:rdma:127.0.0.1:1/db");
    assertTrue(refusal.contains("jdbc:nelumbo:rdma://HOST:PORT"), refusal);
    refusal = refusal("jdbc:nelumbo://127.0.0.1:1/db?provider=disni");
    assertTrue(refusal.contains("provider= is for a pool over RDMA"), refusal);
    refusal = refusal("jdbc:nelumbo:rdma://127.0.0.1:1/db?provider=jverbs");
    assertTrue(refusal.contains("ibverbs, disni"), refusal);
  }

  /** SET and RESET restore the lock timeout that the session began with. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "1500ms", "876000h"})
  void shouldRestoreLockTimeoutOfUrlOnReset(String timeout) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection("jdbc:nelumbo:mem:?memory=8m&lockTimeout=" + timeout)) {
      Duration begun = connection.unwrap(NelumboConnection.class).session().lockTimeout();
      Statements.run(connection, "SET lock_timeout = '7s'", "RESET lock_timeout");
      assertEquals(begun, connection.unwrap(NelumboConnection.class).session().lockTimeout());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"shm:\0", "shm:a\0b", "shm:/dev/null", "shm:/dev/full", "shm:/proc/self/mem"})
  void shouldRejectLocationThatIsNoRegularFile(String location) {
    String refusal = refusal("jdbc:nelumbo:" + location);
    assertFalse(refusal.contains("Already closed"), refusal);
    assertTrue(
        refusal.contains("regular file")
            || refusal.contains("is not a path")
            || refusal.contains("cannot read"),
        refusal);
  }

  @Test
  void shouldRejectMissingUrl() {
    assertEquals(
        "08001",
        assertThrows(SQLException.class, () -> new NelumboDriver().connect(null, null))
            .getSQLState());
    assertEquals(
        "08001",
        assertThrows(SQLException.class, new NelumboDataSource()::getConnection).getSQLState());
  }

  @Test
  void shouldReportPropertiesThatCannotBeRead() {
    Properties faulty =
        new Properties() {
          @Override
          public java.util.Set<String> stringPropertyNames() {
            throw new IllegalStateException("of the caller's");
          }

          @Override
          public String getProperty(String key) {
            throw new IllegalStateException("of the caller's");
          }
        };
    assertThrows(
        SQLException.class, () -> new NelumboDriver().connect("jdbc:nelumbo:mem:", faulty));
    assertThrows(
        SQLException.class, () -> new NelumboDriver().getPropertyInfo("jdbc:nelumbo:mem:", faulty));
  }
}
