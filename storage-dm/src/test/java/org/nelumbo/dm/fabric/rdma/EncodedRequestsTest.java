package org.nelumbo.dm.fabric.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricConformanceTest;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Runs the conformance tests on encoded requests that {@link MemoryQueue} executes in place of a
 * device.
 */
class EncodedRequestsTest extends FabricConformanceTest {
  private static final int REQUESTS = 16;
  private static final long WORD = PoolAddress.of(0, 8192);

  private int packetBytes = Integer.MAX_VALUE;
  private boolean answersBackwards;

  /** A fabric of queues to local memory. */
  private static final class EncodedFabric implements Fabric {
    private final LocalFabric[] nodes;
    private final long bytes;
    private volatile MemoryQueue[] latest;
    private volatile boolean isCut;

    EncodedFabric(int count, long bytes) {
      this.bytes = bytes;
      this.nodes = new LocalFabric[count];
      Arrays.setAll(nodes, each -> new LocalFabric(1, bytes));
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      Channel[] targets = new Channel[nodes.length];
      MemoryQueue[] queues = new MemoryQueue[nodes.length];
      RemoteMemory[] memories = new RemoteMemory[nodes.length];
      for (int node = 0; node < nodes.length; node++) {
        targets[node] = nodes[node].openChannel(1 << 20);
        queues[node] = new MemoryQueue(targets[node], REQUESTS);
        memories[node] = new RemoteMemory(MemoryQueue.BASE, bytes, MemoryQueue.KEY);
      }
      latest = queues;
      return new RdmaChannel(
          new SystemEnvironment(),
          queues,
          memories,
          Arena.ofAuto().allocate(stagingBytes, 64),
          null,
          (node, why) -> new FabricException(node, why, null),
          () -> isCut,
          () -> Arrays.stream(targets).forEach(Channel::close));
    }

    @Override
    public int nodeCount() {
      return nodes.length;
    }

    @Override
    public long nodeBytes(int node) {
      if (node < 0 || node >= nodes.length) {
        throw new IllegalArgumentException("no such memory node node=" + node);
      }
      return bytes;
    }

    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public void close() {
      Arrays.stream(nodes).forEach(LocalFabric::close);
    }
  }

  @Override
  protected Fabric openFabric(int nodes, long nodeBytes) {
    return new EncodedFabric(nodes, nodeBytes);
  }

  private MemoryQueue queue(int node) {
    return ((EncodedFabric) fabric).latest[node];
  }

  @Test
  void shouldPostFlushedRequestsInOneCall() {
    channel.writeLong(WORD, 1);
    channel.read(WORD, 0, 8);
    channel.read(WORD, 8, 8);
    channel.flush();
    channel.flush();
    assertEquals(1, queue(0).calls);
    assertEquals(3, queue(0).posted);
    assertEquals(0, queue(1).calls, "nothing was for it");
  }

  @Test
  void shouldSplitBatchLargerThanQueue() {
    for (int i = 0; i < 3 * REQUESTS + 1; i++) {
      channel.fetchAndAdd(WORD, 1, 0);
    }
    channel.flush();
    assertEquals(4, queue(0).calls);
    assertEquals(3 * REQUESTS + 1, readLong(channel, WORD));
  }

  @Test
  void shouldWaitForReadsOnlyBeforeTheNextChange() {
    channel.read(WORD, 0, 8);
    channel.read(WORD, 8, 8);
    channel.writeLong(WORD, 7);
    channel.writeLong(WORD + 8, 8);
    channel.fetchAndAdd(WORD, 1, 16);
    channel.read(WORD, 24, 8);
    channel.compareAndSwap(WORD, 8, 9, 32);
    channel.flush();
    assertEquals(2, queue(0).fenced);
  }

  @Test
  void shouldDropDiscardedRequests() {
    channel.writeLong(WORD, 7);
    channel.discard();
    assertEquals(0, readLong(channel, WORD));
  }

  @Test
  void shouldFailForGoodAndNameTheNode() {
    queue(1).failWith(12);
    channel.writeLong(PoolAddress.of(1, 8192), 7);
    FabricException e = assertThrows(FabricException.class, channel::flush);
    assertEquals(1, e.node());
    assertTrue(e.getMessage().contains("does not respond"), e.getMessage());
    assertTrue(queue(1).closed, "nothing comes into the staging buffer any more");
    int calls = queue(1).calls;
    channel.writeLong(PoolAddress.of(1, 8192), 7);
    assertThrows(FabricException.class, channel::flush);
    assertEquals(calls, queue(1).calls);
    assertFalse(queue(0).closed);
    assertEquals(0, readLong(channel, WORD), "the other node can be reached");
  }

  @Test
  void shouldPostNothingAfterCutOff() {
    ((EncodedFabric) fabric).isCut = true;
    channel.writeLong(WORD, 7);
    assertThrows(FabricException.class, channel::flush);
    assertEquals(0, queue(0).posted);
  }

  private String refusal() {
    try (Channel fresh = fabric.openChannel(RdmaSelfTest.STAGING_BYTES)) {
      fresh.writeLong(PoolAddress.of(1, 64), 0x1234);
      fresh.flush();
      queue(1).packetBytes = packetBytes;
      queue(1).answersBackwards = answersBackwards;
      return assertThrows(
              PoolOpenException.class, () -> RdmaSelfTest.run(fresh, 1, 64, "rxe0", "host:7420"))
          .getMessage();
    }
  }

  @Test
  void shouldAcceptConformingDevice() {
    try (Channel fresh = fabric.openChannel(RdmaSelfTest.STAGING_BYTES)) {
      RdmaSelfTest.run(fresh, 1, 64, "rxe0", "host:7420");
    }
  }

  @Test
  void shouldRejectDeviceWithByteSwappedAtomics() {
    answersBackwards = true;
    assertTrue(refusal().contains("read=1234 fetched=3412000000000000"), refusal());
  }

  @Test
  void shouldReportLostLongPackets() {
    packetBytes = 1024;
    assertTrue(refusal().contains("long packets are lost: set one MTU"), refusal());
  }

  @Test
  void shouldReportUnresponsiveMemoryNode() {
    packetBytes = 0;
    String refusal = refusal();
    assertTrue(refusal.contains("memory node host:7420 does not respond to RDMA device"), refusal);
  }
}
