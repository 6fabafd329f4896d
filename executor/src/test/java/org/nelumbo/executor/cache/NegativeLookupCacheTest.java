package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;

class NegativeLookupCacheTest {
  private Engine engine;
  private CvtCache cache;
  private TableStore table;
  private NegativeLookupCache absent;

  @BeforeEach
  void open() {
    engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(1L << 28), DistantFabric::new);
    cache = engine.caches().cvts();
    table = Accounts.create(engine, 2);
    absent = new NegativeLookupCache(cache);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void add(long lotusKey) {
    absent.put(table, lotusKey, cache.sequence(lotusKey));
  }

  /** Returns key number {@code i}; the sequence numbers of the keys are unrelated. */
  private static long key(int i) {
    return (i + 1L << 12) + 1;
  }

  @Test
  void shouldForgetPossiblyInsertedKeysUnderLock() {
    add(key(1));
    add(key(2));
    add(key(3));
    cache.invalidateNew(table.id(), key(1), 4096, 2, table.blockClass(64));
    cache.remove(key(2));
    assertFalse(absent.isAbsentUnderLock(table, key(1)));
    assertFalse(absent.isAbsentUnderLock(table, key(2)));
    assertTrue(absent.isAbsentUnderLock(table, key(3)));
    assertTrue(absent.isAbsent(table, key(1)), "for a snapshot that began before");
    add(key(1));
    assertTrue(absent.isAbsentUnderLock(table, key(1)), "looked for again");
  }

  @Test
  void shouldRememberKeysUntilTransactionEnd() {
    for (int i = 0; i < 5000; i += 2) {
      add(key(i));
    }
    for (int i = 0; i < 5000; i++) {
      assertTrue(absent.isAbsent(table, key(i)) == (i % 2 == 0), "i=" + i);
      assertTrue(absent.isAbsentUnderLock(table, key(i)) == (i % 2 == 0), "i=" + i);
    }
    absent.clear();
    assertFalse(absent.isAbsent(table, key(0)));
    add(key(1));
    absent.clear();
    assertFalse(absent.isAbsent(table, key(1)));
  }

  @Test
  void shouldNotGrowForEver() {
    for (int i = 0; i < 100_000; i++) {
      add(key(i));
    }
    assertTrue(absent.isAbsent(table, key(0)));
    assertFalse(absent.isAbsent(table, key(99_999)));
  }
}
