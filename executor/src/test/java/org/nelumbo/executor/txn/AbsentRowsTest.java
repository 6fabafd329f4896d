package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.table.TableStore;

class AbsentRowsTest {
  private Engine engine;
  private CvtCache cache;
  private TableStore table;
  private AbsentRows absent;

  @BeforeEach
  void open() {
    engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(1L << 28), DistantFabric::new);
    cache = engine.cvtCache();
    table = Accounts.create(engine, 2);
    absent = new AbsentRows(cache);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void add(long lotusKey) {
    absent.add(table, lotusKey, cache.stamp(lotusKey));
  }

  /** Keys whose stamps have nothing to do with each other. */
  private static long key(int i) {
    return (i + 1L << 12) + 1;
  }

  @Test
  void shouldForgetUnderTheLockWhatOthersMayHaveInserted() {
    add(key(1));
    add(key(2));
    add(key(3));
    cache.hideNew(table.id(), key(1), 4096, 2, table.blockClass(64));
    cache.forget(key(2));
    assertFalse(absent.isKnownLocked(table, key(1)));
    assertFalse(absent.isKnownLocked(table, key(2)));
    assertTrue(absent.isKnownLocked(table, key(3)));
    assertTrue(absent.isKnown(table, key(1)), "for a snapshot that began before");
    add(key(1));
    assertTrue(absent.isKnownLocked(table, key(1)), "looked for again");
  }

  @Test
  void shouldKnowManyKeysUntilTheTransactionEnds() {
    for (int i = 0; i < 5000; i += 2) {
      add(key(i));
    }
    for (int i = 0; i < 5000; i++) {
      assertTrue(absent.isKnown(table, key(i)) == (i % 2 == 0), "i=" + i);
      assertTrue(absent.isKnownLocked(table, key(i)) == (i % 2 == 0), "i=" + i);
    }
    absent.clear();
    assertFalse(absent.isKnown(table, key(0)));
    add(key(1));
    absent.clear();
    assertFalse(absent.isKnown(table, key(1)));
  }

  @Test
  void shouldNotGrowForEver() {
    for (int i = 0; i < 100_000; i++) {
      add(key(i));
    }
    assertTrue(absent.isKnown(table, key(0)));
    assertFalse(absent.isKnown(table, key(99_999)));
  }
}
