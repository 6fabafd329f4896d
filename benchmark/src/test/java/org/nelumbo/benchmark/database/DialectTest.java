package org.nelumbo.benchmark.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DialectTest {
  private static final String CREATE = "CREATE TABLE t (a INT) WITH (critical_field = 'a')";

  @Test
  void shouldKeepTableOptionsForNelumboOnly() {
    assertEquals(CREATE, Dialect.ofProduct("Nelumbo").translate(CREATE));
    assertEquals("CREATE TABLE t (a INT)", Dialect.ofProduct("H2").translate(CREATE));
  }

  @Test
  void shouldLockRowsWhereTheProductCan() {
    String query = "SELECT a FROM t ${forUpdate}";
    assertEquals("SELECT a FROM t FOR UPDATE", Dialect.ofProduct("PostgreSQL").translate(query));
    assertEquals("SELECT a FROM t", Dialect.ofProduct("SQLite").translate(query).strip());
  }

  @Test
  void shouldUseStandardSqlForUnknownProducts() {
    Dialect stranger = Dialect.ofProduct("Some Other Product");
    String query = stranger.translate("SELECT a FROM t ORDER BY a ${limitOne}");
    assertEquals("SELECT a FROM t ORDER BY a FETCH FIRST 1 ROW ONLY", query);
    assertFalse(stranger.switchesReadOnly());
    assertFalse(stranger.notes().isEmpty());
  }

  @Test
  void shouldDescribeActualIsolationLevel() {
    IsolationLevel level = IsolationLevel.SERIALIZABLE;
    assertTrue(Dialect.ofProduct("H2").meaning(level).contains("NOT serializable"));
    assertTrue(Dialect.ofProduct("HSQL Database Engine").meaning(level).contains("write skew"));
    assertTrue(Dialect.ofProduct("PostgreSQL").meaning(level).startsWith("serializable"));
    assertTrue(Dialect.ofProduct("SQLite").meaning(level).startsWith("serializable"));
    assertTrue(Dialect.ofProduct("MariaDB").meaning(level).startsWith("serializable"));
  }

  @Test
  void shouldUseTheProductsOwnNumberOfALevel() {
    assertEquals(6, Dialect.ofProduct("H2").jdbcLevel(IsolationLevel.SNAPSHOT));
    assertEquals(8, Dialect.ofProduct("H2").jdbcLevel(IsolationLevel.SERIALIZABLE));
  }
}
