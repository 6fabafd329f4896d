package org.nelumbo.benchmark.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlResourceTest {
  @Test
  void shouldReadNamedAndNamelessStatements() {
    SqlResource resource = SqlResource.load(SqlResourceTest.class, "two-statements.sql");
    Dialect dialect = Dialect.ofProduct("H2");
    assertEquals(List.of("SELECT 1", "SELECT 2\nFROM t"), resource.statements(dialect));
    assertEquals(List.of("second one"), resource.names());
    assertEquals("SELECT 2\nFROM t", resource.statement("second one"));
  }

  @Test
  void shouldRejectMissingStatementOrFile() {
    SqlResource resource = SqlResource.load(SqlResourceTest.class, "two-statements.sql");
    assertThrows(IllegalArgumentException.class, () -> resource.statement("third one"));
    assertThrows(
        IllegalArgumentException.class, () -> SqlResource.load(SqlResourceTest.class, "none.sql"));
  }

  @Test
  void shouldRefuseAStatementWithoutEnd() {
    assertThrows(
        IllegalArgumentException.class,
        () -> SqlResource.load(SqlResourceTest.class, "no-semicolon.sql"));
  }
}
