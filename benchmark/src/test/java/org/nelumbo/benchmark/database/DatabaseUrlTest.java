package org.nelumbo.benchmark.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseUrlTest {
  @ParameterizedTest
  @CsvSource({
    "jdbc:h2:mem:x, jdbc:h2:mem:x_7",
    "jdbc:h2:mem:x;MODE=PostgreSQL, jdbc:h2:mem:x_7;MODE=PostgreSQL",
    "jdbc:hsqldb:mem:x;hsqldb.tx=mvcc, jdbc:hsqldb:mem:x_7;hsqldb.tx=mvcc",
    "jdbc:nelumbo:mem:x?memory=1g, jdbc:nelumbo:mem:x_7?memory=1g",
    "jdbc:nelumbo:mem:, jdbc:nelumbo:mem:bench_7",
    "jdbc:sqlite:/dev/shm/x.db, jdbc:sqlite:/dev/shm/x.db",
    "jdbc:postgresql://h/x, jdbc:postgresql://h/x",
    "jdbc:nelumbo://h:1/x, jdbc:nelumbo://h:1/x?create=true",
    "jdbc:nelumbo://h:1/x?replicas=2, jdbc:nelumbo://h:1/x?replicas=2&create=true",
    "jdbc:nelumbo://h:1/x?create=false, jdbc:nelumbo://h:1/x?create=false"
  })
  void shouldDeriveUrlOfFreshDatabase(String url, String fresh) {
    assertEquals(fresh, new DatabaseUrl(url).fresh("7").text());
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:x://h/d?user=a&password=b&z=1, jdbc:x://h/d?user=a&password=***&z=1",
    "jdbc:x:d;PWD=b;z=1, jdbc:x:d;PWD=***;z=1",
    "jdbc:x://a:b@h/d, jdbc:x://a:***@h/d"
  })
  void shouldShowNoPassword(String url, String masked) {
    assertEquals(masked, new DatabaseUrl(url).toString());
  }

  @Test
  void shouldOverrideDefaultPragmasByUrlParameters() {
    DatabaseUrl url = new DatabaseUrl("jdbc:sqlite:/x/db?journal_mode=WAL&synchronous=FULL");
    assertTrue(url.overrides("PRAGMA synchronous=OFF"));
    assertTrue(url.overrides("PRAGMA journal_mode=WAL"));
    assertFalse(url.overrides("PRAGMA foreign_keys=ON"));
    assertFalse(new DatabaseUrl("jdbc:sqlite:/x/db").overrides("PRAGMA synchronous=OFF"));
    assertFalse(url.overrides("SET synchronous = OFF"));
  }

  @Test
  void shouldClassifyDatabaseUrls() {
    assertTrue(new DatabaseUrl("jdbc:h2:mem:x").inMemory());
    assertFalse(new DatabaseUrl("jdbc:h2:file:/x").inMemory());
    assertTrue(new DatabaseUrl("jdbc:sqlite::memory:").privateToConnection());
    assertFalse(new DatabaseUrl("jdbc:sqlite:/x.db").privateToConnection());
    assertTrue(new DatabaseUrl("jdbc:nelumbo:mem:x").nelumbo());
  }
}
