package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.impl.RdmaProviderNat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.rdma.DeviceName;
import org.nelumbo.dm.fabric.rdma.VerbsProvider;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricConformanceTest;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Runs the conformance tests over queue pairs of a device, if there is one: {@code ./nelumbo
 * rdma-vm test} runs it in a virtual machine.
 */
@EnabledIfSystemProperty(
    named = RdmaFabricTest.DEVICE,
    matches = ".+",
    disabledReason = "no RDMA device is named")
class RdmaFabricTest extends FabricConformanceTest {
  /** Property that names the device. */
  static final String DEVICE = "nelumbo.rdma.device";

  /** Property that names the provider library of compute nodes. */
  private static final String PROVIDER = "nelumbo.rdma.provider";

  /** Property that requires DiSNI's own library. */
  private static final String LIBRARY = "nelumbo.rdma.library";

  private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
  private static final long WORD = PoolAddress.of(0, 8192);

  private final SystemEnvironment environment = new SystemEnvironment();
  private final DeviceName device = DeviceName.parse(System.getProperty(DEVICE, ""));
  private final List<MemoryNode> nodes = new ArrayList<>();

  @BeforeAll
  static void checkLibrary() throws IOException {
    if (Boolean.getBoolean(LIBRARY)) {
      assertInstanceOf(RdmaProviderNat.class, RdmaProvider.provider());
    }
  }

  private MemoryNode startNode(long bytes, MemoryNode.Options options) {
    try {
      MemoryNode node = new MemoryNode(environment, LocalMemory.reserve(bytes), ANY_PORT, options);
      node.start();
      nodes.add(node);
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private MemoryNode startNode(long bytes) {
    return startNode(bytes, MemoryNode.Options.DEFAULT.withRdma(device));
  }

  private TcpOptions options(String owner) {
    VerbsProvider provider = VerbsProvider.parse(System.getProperty(PROVIDER, "ibverbs"));
    return TcpOptions.of(owner).withRdma(device.with(provider));
  }

  private TcpFabric attach(String owner, MemoryNode... to) {
    return TcpFabric.open(
        environment, List.of(to).stream().map(MemoryNode::address).toList(), options(owner));
  }

  @Override
  protected Fabric openFabric(int count, long nodeBytes) {
    MemoryNode[] started = new MemoryNode[count];
    for (int i = 0; i < count; i++) {
      started[i] = startNode(nodeBytes);
    }
    return attach("the kit", started);
  }

  @Override
  protected long largeNodeBytes() {
    return 64L << 20;
  }

  @AfterEach
  void stopNodes() {
    nodes.forEach(MemoryNode::close);
  }

  @Test
  void shouldTransferMoreThanOneVerbHoldsInOneFlush() {
    int bytes = 3 << 20;
    try (Fabric pool = attach("me", startNode(8 << 20));
        Channel mine = pool.openChannel(bytes)) {
      for (int i = 0; i < bytes; i += 8) {
        mine.staging().set(ValueLayout.JAVA_LONG, i, i * 31L);
      }
      mine.write(WORD, 0, bytes);
      mine.flush();
      mine.staging().fill((byte) 0);
      mine.read(WORD, 0, bytes);
      mine.flush();
      for (int i = 0; i < bytes; i += 8) {
        assertEquals(i * 31L, mine.staging().get(ValueLayout.JAVA_LONG, i));
      }
    }
  }

  @Test
  void shouldFlushMoreVerbsThanQueuePairHolds() {
    for (int i = 0; i < 1000; i++) {
      channel.fetchAndAdd(WORD, 1, 8 * i);
      channel.read(WORD, 8000 + 8 * i, 8);
    }
    channel.flush();
    for (int i = 0; i < 1000; i++) {
      assertEquals(i, channel.staging().get(ValueLayout.JAVA_LONG, 8L * i));
      assertEquals(i + 1, channel.staging().get(ValueLayout.JAVA_LONG, 8000 + 8L * i));
    }
  }

  @Test
  void shouldReportTransportMismatch() {
    MemoryNode byRdma = startNode(1 << 20);
    MemoryNode byTcp = startNode(1 << 20, MemoryNode.Options.DEFAULT);
    PoolOpenException e =
        assertThrows(
            PoolOpenException.class,
            () -> TcpFabric.open(environment, List.of(byRdma.address()), TcpOptions.of("me")));
    assertTrue(e.getMessage().contains("jdbc:nelumbo:rdma://"), e.getMessage());
    e = assertThrows(PoolOpenException.class, () -> attach("me", byTcp));
    assertTrue(e.getMessage().contains("--rdma DEVICE"), e.getMessage());
    attach("me", byRdma).close();
    assertTrue(byRdma.status().contains("queue_pairs="), byRdma.status());
  }

  @Test
  void shouldDemandTheSecret() {
    MemoryNode node =
        startNode(
            1 << 20,
            MemoryNode.Options.DEFAULT
                .withRdma(device)
                .withSecret("sesame")
                .withHandshakeNanos(100_000_000_000L)); // an emulated processor derives keys slowly
    assertThrows(PoolOpenException.class, () -> attach("thief", node));
    TcpFabric.open(environment, List.of(node.address()), options("friend").withSecret("sesame"))
        .close();
  }

  @Test
  void shouldFenceSilentComputeNode() {
    MemoryNode node =
        startNode(1 << 20, MemoryNode.Options.DEFAULT.withRdma(device).withLeaseNanos(0));
    try (Fabric slow = attach("slow", node);
        Channel late = slow.openChannel(64)) {
      late.writeLong(WORD, 1);
      late.flush();
      try (Fabric next = attach("next", node);
          Channel mine = next.openChannel(64)) {
        late.writeLong(WORD, 2);
        FabricException e = assertThrows(FabricException.class, late::flush);
        assertEquals(0, e.node());
        assertTrue(e.getMessage().contains("memory node 127.0.0.1:"), e.getMessage());
        assertEquals(1, readLong(mine, WORD));
      }
    }
  }

  /**
   * Verbs are in flight continuously while their compute node is fenced; none of them takes effect
   * after the fence.
   */
  @Test
  @Timeout(3600)
  void shouldExecuteNoVerbAfterFenceReturns() throws Exception {
    MemoryNode node = startNode(1 << 20);
    for (int round = 0; round < ROUNDS; round++) {
      try (TcpFabric first = attach("first", node);
          Channel mine = first.openChannel(64)) {
        first.share();
        TcpFabric doomed = TcpFabric.enter(environment, List.of(node.address()), options("doomed"));
        List<Thread> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
          long word = WORD + writer * 8L;
          writers.add(new Thread(() -> writeUntilFenced(doomed, word)));
        }
        writers.forEach(Thread::start);
        for (int writer = 0; writer < WRITERS; writer++) {
          long start = readLong(mine, WORD + writer * 8L);
          while (readLong(mine, WORD + writer * 8L) < start + 10) {
            Thread.onSpinWait();
          }
        }
        first.fence(doomed.tenant());
        for (int writer = 0; writer < WRITERS; writer++) {
          mine.writeLong(WORD + writer * 8L, 0);
        }
        mine.flush();
        for (int look = 0; look < 20; look++) {
          assertNothingHasLanded(mine);
        }
        for (Thread writer : writers) {
          writer.join();
        }
        assertNothingHasLanded(mine);
        doomed.close();
      }
    }
  }

  private static final int ROUNDS = Integer.getInteger("nelumbo.rdma.rounds", 5);
  private static final int WRITERS = 3;

  private void assertNothingHasLanded(Channel mine) {
    for (int writer = 0; writer < WRITERS; writer++) {
      assertEquals(0, readLong(mine, WORD + writer * 8L), "a verb of the fenced one has landed");
    }
  }

  private static void writeUntilFenced(Fabric doomed, long word) {
    try (Channel channel = doomed.openChannel(64)) {
      for (long i = 1; ; i++) {
        for (int each = 0; each < 8; each++) {
          channel.writeLong(word, i);
          channel.fetchAndAdd(word, 1, 0);
        }
        channel.flush();
      }
    } catch (FabricException e) {
      assertTrue(e.isRevoked(), e.getMessage());
    }
  }

  @Test
  void shouldFailAllChannelsAfterNodeFailure() {
    MemoryNode node = startNode(1 << 20);
    try (Fabric pool = attach("me", node);
        Channel one = pool.openChannel(64);
        Channel other = pool.openChannel(64)) {
      node.close();
      assertThrows(FabricException.class, () -> readLong(one, WORD));
      assertThrows(FabricException.class, () -> readLong(other, WORD));
      assertThrows(FabricException.class, () -> readLong(one, WORD));
    }
  }

  @Test
  void shouldReportMissingDevice() {
    PoolOpenException e =
        assertThrows(
            PoolOpenException.class,
            () ->
                TcpFabric.open(
                    environment,
                    List.of(startNode(1 << 20).address()),
                    TcpOptions.of("me").withRdma(DeviceName.parse("nosuch"))));
    assertTrue(e.getMessage().contains("there is no RDMA device nosuch"), e.getMessage());
  }

  @Test
  void shouldFreeQueuePairsWithTheirChannels() {
    MemoryNode node = startNode(1 << 20);
    try (Fabric pool = attach("me", node)) {
      for (int i = 0; i < 20; i++) {
        pool.openChannel(1024).close();
      }
      assertTrue(node.status().contains("queue_pairs=0\n"), node.status());
    }
  }
}
