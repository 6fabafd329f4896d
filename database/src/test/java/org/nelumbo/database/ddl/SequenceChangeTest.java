package org.nelumbo.database.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;

/** Sequences that are altered while other sessions draw numbers from them. */
class SequenceChangeTest {
  private static final int DRAWS = 3_000;
  private static final int CHANGES = 100;

  @Test
  void shouldReturnUniqueValuesWhileSequenceIsAltered() throws Exception {
    try (Database database = Sql.memory();
        Sql sql = new Sql(database);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      sql.run("CREATE SEQUENCE s");
      List<Future<List<String>>> drawn = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        drawn.add(threads.submit(() -> draw(database)));
      }
      for (int i = 0; i < CHANGES; i++) {
        sql.run("ALTER SEQUENCE s MAXVALUE " + (1_000_000 + i));
      }
      List<String> all = new ArrayList<>();
      for (Future<List<String>> future : drawn) {
        all.addAll(future.get());
      }
      assertEquals(2 * DRAWS, new HashSet<>(all).size());
    }
  }

  private static List<String> draw(Database database) {
    List<String> numbers = new ArrayList<>();
    try (Sql sql = new Sql(database)) {
      for (int i = 0; i < DRAWS / 100; i++) {
        numbers.addAll(
            sql.query(
                "SELECT NEXT VALUE FOR s FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8),"
                    + " (9)) AS a (x), (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))"
                    + " AS b (y)"));
      }
    }
    return numbers;
  }
}
