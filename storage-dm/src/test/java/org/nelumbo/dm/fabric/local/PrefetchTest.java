package org.nelumbo.dm.fabric.local;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

class PrefetchTest {
  private static final long NODE_BYTES = 1 << 16;

  @Test
  void shouldIgnoreHintsOutsideThePool() {
    try (LocalFabric fabric = new LocalFabric(2, NODE_BYTES);
        Channel channel = fabric.openChannel(64)) {
      assertDoesNotThrow(
          () -> {
            channel.prefetch(PoolAddress.of(0, NODE_BYTES - 1), 2);
            channel.prefetch(PoolAddress.of(2, 0), 64);
            channel.prefetch(PoolAddress.of(1, NODE_BYTES), 0);
            channel.prefetch(PoolAddress.of(0, 0), -1);
            channel.prefetch(-1, Integer.MAX_VALUE);
          });
    }
  }

  @Test
  void shouldNotChangeMemory() {
    try (LocalFabric fabric = new LocalFabric(1, NODE_BYTES);
        Channel channel = fabric.openChannel(64)) {
      for (int i = 0; i < NODE_BYTES; i += Long.BYTES) {
        channel.writeLong(PoolAddress.of(0, i), i);
      }
      for (int i = 0; i < NODE_BYTES; i += 100) {
        channel.prefetch(PoolAddress.of(0, i), (int) Math.min(1000, NODE_BYTES - i));
      }
      for (int i = 0; i < NODE_BYTES; i += Long.BYTES) {
        channel.read(PoolAddress.of(0, i), 0, Long.BYTES);
        channel.flush();
        assertEquals(i, channel.staging().get(ValueLayout.JAVA_LONG, 0));
      }
    }
  }

  @Test
  void shouldNotFaultOnAnyAddress() {
    assumeTrue(PrefetchInstruction.AVAILABLE, "the processor's instruction is used here");
    for (int shift = 0; shift < Long.SIZE; shift++) {
      PrefetchInstruction.prefetch(1L << shift, 3);
    }
    assertDoesNotThrow(() -> PrefetchInstruction.prefetch(0, 1));
  }
}
