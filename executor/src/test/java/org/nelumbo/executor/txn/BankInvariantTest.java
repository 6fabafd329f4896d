package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;

/**
 * Moves money between accounts, some of which are deleted and inserted again. Each reader must see
 * the total amount.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class BankInvariantTest {
  private static final int ACCOUNTS = 20;
  private static final long TOTAL = ACCOUNTS * 100L;
  private static final int TRANSFERS = 20_000;

  @ParameterizedTest
  @CsvSource({
    "SERIALIZABLE,WAIT_DIE,2,0,0",
    "SNAPSHOT,WAIT_DIE,2,0,0",
    "SERIALIZABLE,NO_WAIT,1,0,0",
    "SNAPSHOT,NO_WAIT,4,0,0",
    "SERIALIZABLE,WAIT_DIE,2,1000,0",
    "SNAPSHOT,NO_WAIT,2,10,0",
    "SERIALIZABLE,WAIT_DIE,2,1000,1000000",
    "SNAPSHOT,NO_WAIT,1,1000,2000"
  })
  void shouldPreserveTotalBalance(
      Isolation isolation, ConflictPolicy policy, int versions, int cachedCvts, long recordCache)
      throws Exception {
    EngineOptions options =
        EngineOptions.DEFAULT
            .withMemoryBytes(1L << 30)
            .withConflictPolicy(policy)
            .withLockBuckets(16)
            .withCachedCvts(cachedCvts)
            .withRecordCacheBytes(recordCache);
    LockTable locks;
    try (Engine engine = open(options)) {
      TableStore table = Accounts.create(engine, versions);
      try (Accounts setUp = new Accounts(engine, table)) {
        setUp.begin();
        for (int id = 0; id < ACCOUNTS; id++) {
          setUp.insert(id, 100, "o" + id);
        }
        setUp.commit();
      }
      AtomicReference<Throwable> failure = new AtomicReference<>();
      AtomicLong writersLeft = new AtomicLong(2);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        long seed = i;
        threads.add(
            start(
                failure,
                () -> {
                  try {
                    transfer(engine, table, isolation, seed);
                  } finally {
                    writersLeft.decrementAndGet();
                  }
                }));
      }
      threads.add(start(failure, () -> readSums(engine, table, true, writersLeft)));
      threads.add(start(failure, () -> readSums(engine, table, false, writersLeft)));
      for (Thread thread : threads) {
        thread.join();
      }
      if (failure.get() != null) {
        throw new AssertionError("a thread failed", failure.get());
      }
      locks = engine.lockTable();
    }
    // The engine is closed, since its sweeper acquires locks, too.
    assertEquals(0, locks.heldCount());
    locks.verify();
  }

  /** Opens an engine that caches CVTs, unless the options disable the cache. */
  private static Engine open(EngineOptions options) {
    return options.cachedCvts() == 0
        ? Engine.openMemory(options)
        : Engine.openMemory(options, DistantFabric::new);
  }

  private static Thread start(AtomicReference<Throwable> failure, Runnable body) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              }
            });
  }

  private static void transfer(Engine engine, TableStore table, Isolation isolation, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Accounts session = new Accounts(engine, table)) {
      for (int done = 0; done < TRANSFERS; ) {
        session.begin(isolation, false);
        if (move(session, random)) {
          assertEquals(Outcome.OK, session.commit());
          done++;
        } else {
          session.abort();
        }
      }
    }
  }

  /** Moves an amount. Deletes an account when it becomes empty, and inserts a missing one. */
  private static boolean move(Accounts session, SplittableRandom random) {
    long from = random.nextInt(ACCOUNTS);
    long to = random.nextInt(ACCOUNTS);
    Outcome status = session.get(from, LockMode.WRITE);
    if (status == Outcome.CONFLICT) {
      return false;
    }
    long available = status == Outcome.OK ? session.balance(from, LockMode.WRITE) : 0;
    if (from == to || available == 0) {
      return true;
    }
    long amount = random.nextInt(4) == 0 ? available : random.nextLong(available) + 1;
    status =
        amount == available
            ? session.delete(from)
            : session.update(from, available - amount, "u" + amount);
    if (status == Outcome.CONFLICT) {
      return false;
    }
    assertEquals(Outcome.OK, status);
    status = session.get(to, LockMode.WRITE);
    if (status == Outcome.CONFLICT) {
      return false;
    }
    Outcome written =
        status == Outcome.OK
            ? session.update(to, session.balance(to, LockMode.WRITE) + amount, "v" + amount)
            : session.insert(to, amount, "w" + amount);
    assertTrue(written == Outcome.OK || written == Outcome.CONFLICT, () -> "status " + written);
    return written == Outcome.OK;
  }

  private static void readSums(
      Engine engine, TableStore table, boolean snapshot, AtomicLong writersLeft) {
    try (Accounts session = new Accounts(engine, table)) {
      while (writersLeft.get() > 0) {
        session.begin(Isolation.SERIALIZABLE, snapshot);
        try {
          long sum = 0;
          for (long id : session.ids(snapshot)) {
            sum += Math.max(session.balance(id), 0);
          }
          assertEquals(TOTAL, sum);
          session.commit();
        } catch (org.nelumbo.error.NelumboException conflict) {
          session.abort();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1000})
  void shouldSeeTheSumThroughPointReadsOfASnapshot(int cachedCvts) throws Exception {
    EngineOptions options =
        EngineOptions.DEFAULT
            .withMemoryBytes(1L << 30)
            .withCachedCvts(cachedCvts)
            .withRecordCacheBytes(1L << 20);
    try (Engine engine = open(options)) {
      TableStore table = Accounts.create(engine, 2);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      AtomicLong writersLeft = new AtomicLong(1);
      try (Accounts setUp = new Accounts(engine, table)) {
        setUp.begin();
        setUp.insert(0, 50, null);
        setUp.insert(1, 50, null);
        setUp.commit();
      }
      Thread writer =
          start(
              failure,
              () -> {
                try (Accounts session = new Accounts(engine, table)) {
                  for (int i = 0; i < 200_000; i++) {
                    session.begin();
                    session.update(0, i % 100, null);
                    session.update(1, 100 - i % 100, null);
                    assertEquals(Outcome.OK, session.commit());
                  }
                } finally {
                  writersLeft.decrementAndGet();
                }
              });
      Thread reader =
          start(
              failure,
              () -> {
                try (Accounts session = new Accounts(engine, table)) {
                  while (writersLeft.get() > 0) {
                    session.begin(Isolation.SNAPSHOT, true);
                    assertEquals(100, session.balance(0) + session.balance(1));
                    session.commit();
                  }
                }
              });
      writer.join();
      reader.join();
      if (failure.get() != null) {
        throw new AssertionError("a thread failed", failure.get());
      }
    }
  }
}
