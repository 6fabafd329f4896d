package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.nelumbo.session.Isolation.SNAPSHOT;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.Outcome;

/** Tests reads and commits of rows whose records are in the record cache. */
class CachedRecordsTest extends CachedRowsContract {
  private Pool pool;

  /** A pool whose channels fail once another compute node has taken it over. */
  private static final class Pool extends DistantFabric {
    private volatile boolean taken;

    Pool(Fabric fabric) {
      super(fabric);
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

  @Override
  Engine newEngine() {
    return Engine.openMemory(
        EngineOptions.DEFAULT.withMemoryBytes(1L << 30).withRecordCacheBytes(1L << 20),
        fabric -> {
          pool = new Pool(fabric);
          return new CountingFabric(pool);
        });
  }

  @Test
  void shouldNeedRoundTripsOnlyForCommit() {
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
  void shouldFailCommitOfCachedReadsAfterPoolTakeover() {
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
