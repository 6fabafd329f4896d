package org.nelumbo.dm.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.litmus.InterceptedChannel;

/** Tests a fabric of two connections, one of which is lost while the other one still works. */
class FailStopFabricTest {
  private static final long WORD = 4096;

  private final LocalFabric pool = new LocalFabric(1, 1 << 20);
  private final Fabric links = new Links();
  private final Fabric fabric = new FailStopFabric(links);

  @AfterEach
  void close() {
    pool.close();
  }

  /** Returns channels whose connection is lost if they have more than 64 bytes of staging. */
  private final class Links implements Fabric {
    @Override
    public Channel openChannel(int stagingBytes) {
      Channel channel = pool.openChannel(stagingBytes);
      return stagingBytes > 64 ? new LostChannel(channel) : channel;
    }

    @Override
    public int nodeCount() {
      return 1;
    }

    @Override
    public long nodeBytes(int node) {
      return pool.nodeBytes(node);
    }

    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  /** A channel that drops every verb. */
  private static final class LostChannel extends InterceptedChannel {
    LostChannel(Channel channel) {
      super(channel);
    }

    @Override
    protected void post(long address, Runnable verb) {}

    @Override
    public void flush() {
      throw new FabricException(0, "lost", null);
    }
  }

  @Test
  void shouldSendNothingAfterConnectionIsLost() {
    Channel good = fabric.openChannel(64);
    Channel lost = fabric.openChannel(128);
    good.writeLong(WORD, 1);
    good.flush();
    lost.writeLong(WORD, 2);
    assertThrows(FabricException.class, lost::flush);
    good.writeLong(WORD, 3);
    good.fetchAndAdd(WORD, 4, 0);
    good.compareAndSwap(WORD, 1, 5, 0);
    good.write(WORD, 8, 8);
    assertEquals(0, assertThrows(FabricException.class, good::flush).node());
    assertEquals(1, word());
  }

  @Test
  void shouldReadNoArrayAfterConnectionIsLost() {
    Channel good = fabric.openChannel(64);
    Channel lost = fabric.openChannel(128);
    assertTrue(good.canReadArray());
    assertFalse(lost.canReadArray(), "the other channel intercepts verbs");
    byte[] word = new byte[8];
    good.writeLong(WORD, 1);
    good.readArray(WORD, word, 0, 8);
    good.flush();
    assertEquals(1, word[0]);
    good.writeLong(WORD, 2);
    assertThrows(FabricException.class, lost::flush);
    good.readArray(WORD, word, 0, 8);
    assertThrows(FabricException.class, good::flush);
    assertEquals(1, word[0]);
  }

  @Test
  void shouldFailFlushOfVerbsPostedBeforeLoss() {
    Channel good = fabric.openChannel(64);
    Channel lost = fabric.openChannel(128);
    good.read(WORD, 0, 8);
    assertThrows(FabricException.class, lost::flush);
    assertThrows(FabricException.class, good::flush);
    assertThrows(FabricException.class, () -> fabric.openChannel(64));
  }

  @Test
  void shouldReportCauseOfLossAfterClose() {
    fabric.lose(new OutOfMemoryError("made up"));
    fabric.close();
    FabricException e = assertThrows(FabricException.class, () -> fabric.openChannel(64));
    assertTrue(e.getMessage().contains("made up"), e.getMessage());
  }

  private long word() {
    try (Channel channel = pool.openChannel(64)) {
      channel.read(WORD, 0, 8);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0);
    }
  }
}
