package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.nelumbo.executor.txn.Isolation.SNAPSHOT;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;

/** Rows whose records a compute node remembers: no round trip, and never anything out of date. */
class RememberedRecordTest {
  private Pool pool;
  private Engine engine;
  private Accounts a;
  private Accounts b;

  /** A pool that another compute node may take. */
  private static final class Pool extends ForwardingFabric {
    private volatile boolean taken;

    Pool(Fabric fabric) {
      super(fabric);
    }

    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      return new ForwardingChannel(fabric.openChannel(stagingBytes)) {
        @Override
        public void flush() {
          if (taken) {
            throw new FabricException(0, "another compute node has taken the pool", null);
          }
          channel.flush();
        }
      };
    }
  }

  @BeforeEach
  void open() {
    engine =
        Engine.openMemory(
            EngineOptions.DEFAULT.withMemoryBytes(1L << 30).withRecordCacheBytes(1L << 20),
            fabric -> {
              pool = new Pool(fabric);
              return new CountingFabric(pool);
            });
    TableStore table = Accounts.create(engine, 2);
    a = new Accounts(engine, table);
    b = new Accounts(engine, table);
    a.begin();
    for (int id = 0; id < 10; id++) {
      a.insert(id, 100 + id, null);
    }
    a.commit();
  }

  @AfterEach
  void close() {
    pool.taken = false;
    a.close();
    b.close();
    engine.close();
  }

  @Test
  void shouldTakeTheRoundTripsOfTheCommitAlone() {
    a.begin();
    assertEquals(0, a.roundTrips(() -> assertEquals(103, a.balance(3))));
    assertEquals(1, a.roundTrips(a::commit), "whose pool it is");
    a.begin();
    assertEquals(0, a.roundTrips(() -> assertEquals(Outcome.OK, a.update(3, 1, null))));
    assertEquals(2, a.roundTrips(a::commit), "nobody asks beside the writes");
    a.begin(SNAPSHOT, true);
    assertEquals(0, a.roundTrips(() -> assertEquals(1, a.balance(3))));
    assertEquals(1, a.roundTrips(a::commit));
    a.begin();
    assertEquals(0, a.roundTrips(() -> assertEquals(1, a.balance(3))));
    assertEquals(0, a.roundTrips(a::abort), "what it has read counts for nothing");
    a.begin();
    assertEquals(0, a.roundTrips(a::commit), "it has read nothing");
  }

  @Test
  void shouldSeeWhatOthersWrote() {
    for (int i = 0; i < 100; i++) {
      b.begin();
      assertEquals(Outcome.OK, b.update(1, i, "x".repeat(i % 20)));
      b.commit();
      a.begin(SNAPSHOT, i % 2 == 0);
      assertEquals(i, a.balance(1));
      a.commit();
    }
  }

  @Test
  void shouldShowASnapshotWhatItIsOf() {
    a.begin(SNAPSHOT, true);
    for (int i = 0; i < 5; i++) {
      b.begin();
      b.update(2, i, null);
      b.commit();
    }
    assertEquals(102, a.balance(2));
    a.commit();
  }

  @Test
  void shouldNotCommitWhatItHasReadIfThePoolIsAnothersMeanwhile() {
    a.begin();
    assertEquals(103, a.balance(3));
    pool.taken = true;
    assertThrows(FabricException.class, a::commit);
    pool.taken = false;
    a.transaction.abort();
    a.begin();
    assertEquals(103, a.balance(3));
    assertEquals(Outcome.OK, a.commit());
  }
}
