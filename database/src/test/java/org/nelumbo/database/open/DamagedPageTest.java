package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fuzz.FuzzSeeds;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.error.UnexpectedErrors;
import org.nelumbo.executor.table.TableStore;

/**
 * Replaces a page of CVTs by zeros or by another such page while no process has the pool open. A
 * query then finds each row or fails with XX001, or the pool cannot be opened. Damage of values may
 * go undetected, because records have no checksum; the test therefore checks only keys. {@link
 * FuzzSeeds} describes longer runs and runs of a single seed.
 */
@Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
class DamagedPageTest {
  private static final int ROWS = 400;
  private static final int DELETED = 20;
  private static final int PAGE_WORDS = 4096 / Long.BYTES;

  /** Minimum number of CVTs in a page that contains hardly anything else. */
  private static final int PAGE_ROWS = 12;

  private static final List<String> TABLES = List.of("a", "b");

  private final LocalFabric memory = new LocalFabric(1, 16L << 20);
  private long[] left;
  private long[] crashed;

  /** The word after the LOTUS key in the header of each CVT: store and cells. */
  private final Set<Long> headers = new HashSet<>();

  private int refused;

  @BeforeEach
  void fill() {
    LocalDatabase database = attach();
    Sql sql = new Sql(database);
    for (String table : TABLES) {
      sql.run(
          "CREATE TABLE " + table + " (id INTEGER PRIMARY KEY, k INTEGER UNIQUE, v VARCHAR(9000))");
      for (int id = 0; id < ROWS; id++) {
        sql.update("INSERT INTO " + table + " VALUES (?, ?, ?)", id, id, value(id));
      }
      sql.run("UPDATE " + table + " SET v = v || 'w'");
      sql.update("DELETE FROM " + table + " WHERE id < ?", DELETED);
    }
    sql.run("CREATE VIEW w AS SELECT * FROM a", "CREATE SEQUENCE s");
    for (String table : List.of("A", "B")) {
      TableStore store = database.catalogOfPool().state().table("PUBLIC", table).store();
      headers.add((long) store.versions() << 32 | store.id());
    }
    database.close();
    left = PoolCopy.take(memory);
    database = attach();
    sql = new Sql(database);
    sql.run("UPDATE a SET k = k + 1000 WHERE id > 100", "UPDATE a SET k = k - 1000 WHERE id > 100");
    database.abandon();
    crashed = PoolCopy.take(memory);
  }

  private static String value(int id) {
    return "v".repeat(id % 90);
  }

  @AfterEach
  void release() {
    memory.close();
  }

  private LocalDatabase attach() {
    return DatabaseOpener.attach(
        DatabaseOptions.defaults(),
        new SystemEnvironment(),
        "a test",
        "",
        () ->
            new ForwardingFabric(memory) {
              @Override
              public void close() {}
            });
  }

  @Test
  void shouldMissNoRow() throws Exception {
    FuzzSeeds.run("damaged-pages", 3, this::run);
    assertTrue(refused > 0, "nothing was ever noticed");
  }

  private void run(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    boolean isLeft = random.nextBoolean();
    long[] words = (isLeft ? left : crashed).clone();
    List<Integer> pages = pagesWithRows(words);
    int page = pages.get(random.nextInt(pages.size()));
    int source = isLeft || random.nextBoolean() ? -1 : pages.get(random.nextInt(pages.size()));
    for (int i = 0; i < PAGE_WORDS; i++) {
      words[page * PAGE_WORDS + i] = source < 0 ? 0 : words[source * PAGE_WORDS + i];
    }
    PoolCopy.put(memory, words);
    try {
      FuzzSeeds.runToEnd(this::openAndAsk);
    } catch (AssertionError e) {
      throw new AssertionError(
          (isLeft ? "left" : "crashed")
              + " page "
              + page
              + (source < 0 ? " is zeros" : " is page " + source)
              + ": "
              + e,
          e);
    }
  }

  /** Returns the pages that consist mostly of CVTs. */
  private List<Integer> pagesWithRows(long[] words) {
    List<Integer> pages = new ArrayList<>();
    for (int page = 1; page < words.length / PAGE_WORDS; page++) {
      int rows = 0;
      for (int i = 1; i < PAGE_WORDS; i += 2) {
        rows += headers.contains(words[page * PAGE_WORDS + i] & 0xFFFF00FF_FFFFFFFFL) ? 1 : 0;
      }
      if (rows > PAGE_ROWS) {
        pages.add(page);
      }
    }
    return pages;
  }

  private void openAndAsk() {
    LocalDatabase database;
    try {
      database = attach();
    } catch (NelumboException e) {
      assertEquals(ErrorCode.DATA_CORRUPTED, e.code(), e::getMessage);
      refused++;
      return;
    }
    try {
      for (String table : TABLES) {
        ask(new Sql(database), table);
      }
    } finally {
      database.abandon();
    }
  }

  private void ask(Sql sql, String table) {
    List<String> ids = IntStream.range(DELETED, ROWS).mapToObj(Integer::toString).toList();
    check(sql, List.of("" + ids.size()), "SELECT COUNT(*) FROM " + table);
    check(sql, ids, "SELECT id FROM " + table + " ORDER BY id");
    check(sql, ids, "SELECT id FROM " + table + " WHERE k >= 0 ORDER BY k");
    for (int id = 0; id < ROWS; id += 3) {
      List<String> row = id < DELETED ? List.of() : List.of("" + id);
      check(sql, row, "SELECT id FROM " + table + " WHERE id = " + id);
      check(sql, row, "SELECT id FROM " + table + " WHERE id IN (" + id + ", " + ROWS + ")");
    }
  }

  private void check(Sql sql, List<String> expected, String query) {
    List<String> rows;
    try {
      rows = sql.query(query);
    } catch (RuntimeException e) {
      NelumboException error = UnexpectedErrors.of(e);
      assertEquals(ErrorCode.DATA_CORRUPTED, error.code(), () -> query + ": " + error);
      refused++;
      return;
    }
    assertEquals(expected, rows, query);
  }
}
