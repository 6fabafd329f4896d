package org.nelumbo.planner.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.planner.DatabaseOptions;
import org.nelumbo.planner.Sql;

/**
 * An attempt to open a pool that fails lets go of it: a channel that stayed open would keep the
 * connections, whose heartbeats say that somebody has the pool.
 */
@Timeout(60)
class FailedAttachTest {
  private static final int NEVER = Integer.MAX_VALUE;

  private final LocalFabric memory = new LocalFabric(1, 16L << 20);
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger flushesLeft = new AtomicInteger(NEVER);

  @AfterEach
  void close() {
    memory.close();
  }

  /** The memory outlives it. */
  private final class Connections extends ForwardingFabric {
    Connections() {
      super(memory);
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      open.incrementAndGet();
      return new ForwardingChannel(memory.openChannel(stagingBytes)) {
        @Override
        public void flush() {
          if (flushesLeft.getAndUpdate(left -> left == NEVER ? left : left - 1) == 0) {
            throw new FabricException("an answer was late", null);
          }
          super.flush();
        }

        @Override
        public void close() {
          open.decrementAndGet();
          super.close();
        }
      };
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private LocalDatabase attach() {
    Fabric fabric = new Connections();
    return DatabaseOpener.attach(
        DatabaseOptions.defaults(), new SystemEnvironment(), "test", "", () -> fabric);
  }

  private static void runAndClose(LocalDatabase database, String sql) {
    Sql session = new Sql(database);
    session.run(sql);
    session.close();
    database.close();
  }

  @Test
  void shouldCloseAllChannelsWhereverItFails() {
    runAndClose(attach(), "CREATE TABLE t (id INTEGER PRIMARY KEY)");
    assertEquals(0, open.get(), "channels that an orderly end leaves open");
    int flushes = 0;
    for (boolean fails = true; fails; flushes++) {
      closed.set(0);
      flushesLeft.set(flushes);
      try {
        LocalDatabase database = attach();
        fails = flushesLeft.getAndSet(NEVER) < 0;
        database.close();
      } catch (NelumboException e) {
        assertEquals("08001", e.sqlState(), e.toString());
      }
      assertEquals(0, open.get(), "channels open after flush " + flushes + " has failed");
      assertEquals(1, closed.get(), "the fabric is closed");
    }
    assertTrue(flushes > 10, flushes + " flushes");
  }
}
