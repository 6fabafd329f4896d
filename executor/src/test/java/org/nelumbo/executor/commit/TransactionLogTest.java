package org.nelumbo.executor.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

class TransactionLogTest {
  @Test
  void shouldPostAnEmptyLogBlock() {
    try (LocalFabric fabric = new LocalFabric(1, 1 << 20);
        Channel channel = fabric.openChannel(8192)) {
      long block = PoolAddress.of(0, 4096);
      channel.staging().fill((byte) 0xa5);
      channel.write(block, 0, LogLayout.BLOCK_LENGTH);
      TransactionLog.postNewBlock(channel, block);
      channel.read(block, 0, LogLayout.BLOCK_LENGTH);
      channel.flush();
      assertEquals(PoolAddress.NULL, LogLayout.next(channel.staging(), 0));
      assertEquals(0, LogLayout.transaction(channel.staging(), 0));
      assertEquals(0, LogLayout.count(channel.staging(), 0));
    }
  }
}
