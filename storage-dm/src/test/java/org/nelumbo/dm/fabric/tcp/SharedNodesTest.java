package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.PoolVacantException;
import org.nelumbo.dm.pool.SharedPool;

/** Tests several compute nodes that share two memory nodes. */
@Timeout(60)
class SharedNodesTest {
  private static final long BYTES = 1 << 20;
  private static final int WORDS = 8192;
  private final SystemEnvironment environment = new SystemEnvironment();
  private final List<MemoryNode> nodes = new ArrayList<>();
  private final List<TcpFabric> opened = new ArrayList<>();
  private final Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
  @TempDir private Path folder;

  @BeforeEach
  void start() throws IOException {
    start(MemoryNode.Options.DEFAULT);
    start(MemoryNode.Options.DEFAULT);
  }

  private void start(MemoryNode.Options options) throws IOException {
    MemoryNode node =
        new MemoryNode(
            environment, LocalMemory.reserve(BYTES), new NodeAddress("127.0.0.1", 0), options);
    node.start();
    nodes.add(node);
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
    opened.forEach(TcpFabric::close);
  }

  private List<NodeAddress> addresses() {
    return nodes.stream().map(MemoryNode::address).toList();
  }

  private TcpFabric attach(String name) {
    TcpFabric fabric = TcpFabric.open(environment, addresses(), TcpOptions.of(name));
    opened.add(fabric);
    return fabric;
  }

  private TcpFabric enter(String name) {
    TcpFabric fabric = TcpFabric.enter(environment, addresses(), TcpOptions.of(name));
    opened.add(fabric);
    return fabric;
  }

  private static void add(TcpFabric fabric, int node) {
    try (Channel channel = fabric.openChannel(64)) {
      channel.fetchAndAdd(PoolAddress.of(node, WORDS), 1, 0);
      channel.flush();
    }
  }

  private static long read(TcpFabric fabric, int node, long offset) {
    try (Channel channel = fabric.openChannel(64)) {
      channel.read(PoolAddress.of(node, offset), 0, Long.BYTES);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0);
    }
  }

  @Test
  void shouldServeSeveralSharingComputeNodes() {
    TcpFabric a = attach("a");
    PoolInUseException e = assertThrows(PoolInUseException.class, () -> enter("b"));
    assertFalse(e.isShared());
    a.share();
    TcpFabric b = enter("b");
    e = assertThrows(PoolInUseException.class, () -> attach("c"));
    assertTrue(e.isShared());
    assertTrue(e.getMessage().contains("shared by a and b"), e.getMessage());
    TcpFabric c = enter("c");
    for (TcpFabric each : List.of(a, b, c)) {
      add(each, 0);
      add(each, 1);
    }
    assertEquals(3, read(a, 0, WORDS));
    assertEquals(3, read(c, 1, WORDS));
    assertEquals(List.of("a", "b", "c"), b.tenants().stream().map(PoolTenant::name).toList());
    assertTrue(b.tenants().stream().allMatch(PoolTenant::isConnected));
    String status = nodes.getFirst().status();
    assertTrue(status.contains("tenants=3\n"), status);
    assertTrue(status.contains(" name=c\n"), status);
    assertThrows(PoolInUseException.class, a::ownAlone);
    enter("d").close();
    b.close();
    c.close();
    a.ownAlone();
    assertThrows(PoolInUseException.class, () -> enter("d"));
    add(a, 0);
  }

  /**
   * A joining compute node that has not reached all nodes yet is slow. It is not treated like a
   * tenant that has lost a connection, for which half a second of silence suffices.
   */
  @Test
  void shouldReportPartlyJoinedTenantAsConnected() {
    TcpFabric a = attach("a");
    a.share();
    TcpOptions options = TcpOptions.of("b");
    TcpFabric b = TcpFabric.enter(environment, addresses().subList(0, 1), options);
    opened.add(b);
    PoolTenant entering = a.tenants().get(1);
    assertEquals(b.tenant(), entering.id());
    assertTrue(entering.isConnected());
  }

  /** The names of the tenants do not fit into the reply. */
  @Test
  void shouldReportSharedPoolDespiteLongNames() {
    attach("a".repeat(230)).share();
    for (int i = 0; i < 9; i++) {
      enter("b".repeat(230));
    }
    PoolInUseException e = assertThrows(PoolInUseException.class, () -> attach("c"));
    assertTrue(e.isShared(), e.getMessage());
    assertTrue(e.owner().startsWith("aaa"), e.owner());
  }

  /**
   * A node has admitted the compute node, but its reply is lost. Without a cleanup the tenant would
   * stay there forever.
   */
  @Test
  void shouldLeaveNodeWhoseReplyIsLost() throws Exception {
    TcpFabric a = attach("a");
    a.share();
    int welcome = Wire.HEADER_LENGTH + Wire.NONCE_LENGTH + Wire.SALT_LENGTH + Long.BYTES;
    try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      environment.thread("passing on", () -> passOn(listener, welcome)).start();
      List<NodeAddress> through =
          List.of(new NodeAddress("127.0.0.1", listener.getLocalPort()), nodes.getLast().address());
      assertThrows(
          PoolOpenException.class, () -> TcpFabric.enter(environment, through, TcpOptions.of("b")));
    }
    assertEquals(List.of("a"), a.tenants().stream().map(PoolTenant::name).toList());
    a.ownAlone();
  }

  /**
   * Forwards connections to the first node. The first connection forwards only so many bytes of
   * replies.
   */
  private void passOn(ServerSocket listener, int bytes) {
    try {
      for (int left = bytes; ; left = Integer.MAX_VALUE) {
        int answered = left;
        Socket here = listener.accept();
        NodeAddress target = nodes.getFirst().address();
        Socket there = new Socket(target.host(), target.port());
        environment.thread("passing on", () -> passOn(here, there, Integer.MAX_VALUE)).start();
        environment.thread("passing on", () -> passOn(there, here, answered)).start();
      }
    } catch (IOException e) {
      // closed
    }
  }

  private static void passOn(Socket from, Socket to, int bytes) {
    try (from;
        to) {
      for (int left = bytes; left > 0; left--) {
        int next = from.getInputStream().read();
        if (next < 0) {
          return;
        }
        to.getOutputStream().write(next);
      }
      from.getInputStream().read(); // the lost reply
    } catch (IOException e) {
      // one side has closed its connection
    }
  }

  @Test
  void shouldBeVacantAfterAllMembersLeave() {
    assertThrows(PoolVacantException.class, () -> enter("a"));
    TcpFabric a = attach("a");
    a.share();
    TcpFabric b = enter("b");
    a.close();
    assertEquals(List.of("b"), b.tenants().stream().map(PoolTenant::name).toList());
    b.close();
    assertThrows(PoolVacantException.class, () -> enter("c"));
    assertFalse(nodes.getFirst().status().contains("tenants="));
    add(attach("c"), 1);
  }

  /** A compute node that cannot enter all nodes leaves those that it has entered. */
  @Test
  void shouldLeaveEnteredNodesWhenAnotherNodeIsUnreachable() {
    TcpFabric a = attach("a");
    a.share();
    nodes.get(1).close();
    assertThrows(PoolOpenException.class, () -> enter("b"));
    assertTrue(nodes.getFirst().status().contains("tenants=1\n"), nodes.getFirst().status());
  }

  @Test
  void shouldReportRevocationToFencedComputeNode() {
    TcpFabric a = attach("a");
    a.share();
    TcpFabric b = enter("b");
    try (Channel ofB = b.openChannel(64)) {
      a.fence(b.tenant());
      a.fence(b.tenant());
      ofB.writeLong(PoolAddress.of(1, WORDS), 7);
      FabricException e = assertThrows(FabricException.class, ofB::flush);
      assertTrue(e.isRevoked(), e.toString());
      assertTrue(e.getMessage().contains("other compute nodes declared it failed"), e.getMessage());
      e = assertThrows(FabricException.class, b::tenants);
      assertTrue(e.isRevoked(), e.toString());
      e = assertThrows(FabricException.class, () -> b.fence(a.tenant()));
      assertTrue(e.isRevoked(), e.toString());
    }
    assertEquals(0, read(a, 1, WORDS));
    assertEquals(1, a.tenants().size());
    a.fence(12345);
    add(enter("c"), 0);
  }

  @Test
  void shouldNotReportLostNodeAsRevocation() {
    TcpFabric a = attach("a");
    a.share();
    try (Channel channel = a.openChannel(64)) {
      nodes.getFirst().close();
      channel.read(PoolAddress.of(0, WORDS), 0, 8);
      FabricException e = assertThrows(FabricException.class, channel::flush);
      assertFalse(e.isRevoked(), e.toString());
      e = assertThrows(FabricException.class, a::tenants);
      assertFalse(e.isRevoked(), e.toString());
    }
  }

  /**
   * Every operation that was acknowledged to the fenced tenant took effect before the fence, and no
   * later one ever does.
   */
  @Test
  void shouldExecuteNoVerbAfterFence() throws Exception {
    TcpFabric a = attach("a");
    a.share();
    for (int round = 0; round < 4; round++) {
      TcpFabric b =
          TcpFabric.enter(environment, addresses(), TcpOptions.of("b").withConnections(4));
      opened.add(b);
      int writers = 6;
      AtomicLong[] acknowledged = new AtomicLong[writers];
      CountDownLatch begun = new CountDownLatch(writers);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        AtomicLong done = new AtomicLong();
        acknowledged[i] = done;
        long offset = WORDS + 8L * i;
        threads.add(environment.thread("writer", () -> writeUntilRevoked(b, offset, done, begun)));
      }
      threads.forEach(Thread::start);
      begun.await();
      a.fence(b.tenant());
      long[] before = values(a, writers);
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), List.copyOf(unexpected));
      long[] after = values(a, writers);
      for (int i = 0; i < 2 * writers; i++) {
        assertEquals(before[i], after[i], "a verb was done after the fence");
        long acknowledgedThen = acknowledged[i / 2].get();
        assertTrue(
            after[i] == acknowledgedThen || after[i] == acknowledgedThen + 1,
            after[i] + " after " + acknowledgedThen);
      }
      try (Channel channel = a.openChannel(64)) {
        for (int i = 0; i < 2 * writers; i++) {
          channel.writeLong(PoolAddress.of(i % 2, WORDS + 8L * (i / 2)), 0);
        }
        channel.flush();
      }
    }
  }

  private void writeUntilRevoked(
      TcpFabric fabric, long offset, AtomicLong done, CountDownLatch begun) {
    try (Channel channel = fabric.openChannel(64)) {
      for (long value = 1; ; value++) {
        channel.writeLong(PoolAddress.of(0, offset), value);
        channel.writeLong(PoolAddress.of(1, offset), value);
        channel.flush();
        done.set(value);
        if (value == 3) {
          begun.countDown();
        }
      }
    } catch (RuntimeException e) {
      begun.countDown();
      if (!(e instanceof FabricException lost) || !lost.isRevoked()) {
        unexpected.add(e);
      }
    }
  }

  private static long[] values(TcpFabric fabric, int writers) {
    long[] values = new long[2 * writers];
    for (int i = 0; i < values.length; i++) {
      values[i] = read(fabric, i % 2, WORDS + 8L * (i / 2));
    }
    return values;
  }

  /** Exactly one of the two tenants is fenced. */
  @Test
  void shouldLetOneWinWhenTwoFenceEachOther() throws Exception {
    nodes.removeLast().close();
    for (int round = 0; round < 6; round++) {
      TcpFabric a = attach("a");
      a.share();
      TcpFabric b = enter("b");
      CountDownLatch start = new CountDownLatch(1);
      Fencer one = new Fencer(a, b, start);
      Fencer other = new Fencer(b, a, start);
      List<Thread> threads =
          List.of(environment.thread("one", one), environment.thread("other", other));
      threads.forEach(Thread::start);
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      Fencer loser = one.failure == null ? other : one;
      assertTrue((one == loser ? other : one).failure == null, "both lost: " + other.failure);
      assertTrue(loser.failure instanceof FabricException e && e.isRevoked(), "" + loser.failure);
      a.close();
      b.close();
    }
  }

  private static final class Fencer implements Runnable {
    private final TcpFabric who;
    private final TcpFabric whom;
    private final CountDownLatch start;
    private volatile Throwable failure;

    Fencer(TcpFabric who, TcpFabric whom, CountDownLatch start) {
      this.who = who;
      this.whom = whom;
      this.start = start;
    }

    @Override
    public void run() {
      try {
        start.await();
        who.fence(whom.tenant());
      } catch (InterruptedException | RuntimeException e) {
        failure = e;
      }
    }
  }

  /**
   * A silent tenant is listed with its silence and can be fenced; the lease defines when that is
   * permitted.
   */
  @Test
  void shouldListSilenceOfDisconnectedTenantAndFenceIt() throws IOException {
    TcpFabric a = attach("a");
    a.share();
    TcpFabric b = enter("b");
    b.cut();
    PoolTenant dead;
    do {
      dead = a.tenants().get(1);
    } while (dead.isConnected());
    assertEquals("b", dead.name());
    assertEquals(b.tenant(), dead.id());
    PoolTenant later;
    do {
      assertTrue(a.tenants().get(0).silentNanos() < a.leaseNanos());
      later = a.tenants().get(1);
    } while (later.silentNanos() <= dead.silentNanos());
    assertEquals(dead.id(), later.id());
    assertEquals(10_000_000_000L, a.leaseNanos());
    SharedPool pool = a;
    pool.fence(dead.id());
    pool.ownAlone();
  }

  @Test
  void shouldShareOverTlsWithASecret() throws Exception {
    nodes.forEach(MemoryNode::close);
    nodes.clear();
    TestCertificate certificate = TestCertificate.make(folder, "EC", "ip:127.0.0.1");
    start(
        MemoryNode.Options.DEFAULT
            .withSecret("a secret of some length")
            .withTls(Tls.ofNode(certificate.certificate(), certificate.key())));
    TcpOptions options =
        TcpOptions.of("a")
            .withSecret("a secret of some length")
            .withTls(Tls.ofClient(certificate.certificate()));
    TcpFabric a = TcpFabric.open(environment, addresses(), options);
    opened.add(a);
    a.share();
    TcpFabric b = TcpFabric.enter(environment, addresses(), options);
    opened.add(b);
    add(b, 0);
    a.fence(b.tenant());
    FabricException e = assertThrows(FabricException.class, () -> add(b, 0));
    assertTrue(e.isRevoked(), e.toString());
    assertEquals(1, read(a, 0, WORDS));
  }
}
