package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.PoolClock;

class HorizonExchangeTest {
  private final Environment environment = new SystemEnvironment();
  private final LocalFabric fabric = new LocalFabric(1 << 20);

  @AfterEach
  void close() {
    fabric.close();
  }

  /** Only commits leave memory that waits for the horizon. */
  @Test
  void shouldRunLessOftenUntilNextCommit() {
    PoolFormat.format(fabric, 1);
    PoolClock clock = new PoolClock(environment);
    Epochs epochs = new Epochs(environment, clock, 0);
    ChunkPool chunks = new ChunkPool(fabric, epochs::horizon);
    HorizonExchange exchange =
        new HorizonExchange(
            fabric, ComputeNodeTable.join(fabric, 77).node(), clock, epochs, chunks);
    try (Channel channel = fabric.openChannel(64 << 10)) {
      exchange.run(channel);
      long often = exchange.periodNanos();
      assertEquals(HorizonExchange.PERIOD_NANOS, often);
      for (int i = 0; i < 50; i++) {
        exchange.run(channel);
      }
      assertTrue(exchange.periodNanos() > often);
      clock.next(channel);
      exchange.run(channel);
      assertEquals(often, exchange.periodNanos());
    }
  }
}
