package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.env.ThreadlessEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;

/** Tests messages between compute nodes that memory nodes relay. */
@Timeout(60)
class TcpPeerNetworkTest {
  private final SystemEnvironment environment = new SystemEnvironment();
  private final List<MemoryNode> nodes = new ArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private TcpFabric first;

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < 2; i++) {
      MemoryNode node =
          new MemoryNode(
              environment,
              LocalMemory.reserve(1 << 20),
              new NodeAddress("127.0.0.1", 0),
              MemoryNode.Options.DEFAULT);
      node.start();
      nodes.add(node);
    }
    first = TcpFabric.open(environment, addresses(), options("first"));
    first.share();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    first.close();
    nodes.forEach(MemoryNode::close);
  }

  /** Returns options without direct connections: all messages go through memory nodes. */
  private static TcpOptions options(String owner) {
    return TcpOptions.of(owner).withPeerPort(DirectLinks.NO_PORT);
  }

  private List<NodeAddress> addresses() {
    return nodes.stream().map(MemoryNode::address).toList();
  }

  private TcpFabric enter(List<NodeAddress> through) {
    TcpFabric fabric = TcpFabric.enter(environment, through, options("member"));
    opened.add(fabric);
    return fabric;
  }

  /** A compute node that records the messages it receives. */
  private static final class Peer implements PeerListener, AutoCloseable {
    final TcpPeerNetwork network;
    final Set<String> heard = ConcurrentHashMap.newKeySet();
    final Set<PeerId> unreachable = ConcurrentHashMap.newKeySet();
    final Queue<String> damaged = new ConcurrentLinkedQueue<>();

    Peer(TcpPeerNetwork network) {
      this.network = network;
      network.listen(this);
    }

    @Override
    public void received(PeerId from, ByteBuffer message) {
      int number = message.getInt();
      int length = 4 + message.remaining();
      for (byte expected = (byte) number; message.hasRemaining(); expected++) {
        byte is = message.get();
        if (is != expected) {
          damaged.add(from + " " + number);
        }
      }
      heard.add(from + " " + number + " " + length);
    }

    @Override
    public void unreachable(PeerId peer) {
      unreachable.add(peer);
    }

    boolean send(PeerId to, int number, int length) {
      ByteBuffer message = ByteBuffer.allocate(length + 8).position(8);
      message.putInt(number);
      for (byte next = (byte) number; message.hasRemaining(); next++) {
        message.put(next);
      }
      return network.send(to, message.position(8));
    }

    /** Sends a message again and again until the peer has received it. */
    void sendUntilHeard(Peer to, int number, int length) {
      String wanted = network.self() + " " + number + " " + length;
      await(
          () -> {
            send(to.network.self(), number, length);
            return to.heard.contains(wanted);
          },
          "message " + wanted + " does not arrive; heard " + to.heard.size());
    }

    @Override
    public void close() {
      network.close();
    }
  }

  private static void await(BooleanSupplier what, String otherwise) {
    long end = System.nanoTime() + 50_000_000_000L;
    while (!what.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, otherwise);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private Peer peer(TcpFabric fabric, int node, long incarnation) {
    Peer peer = new Peer(fabric.openPeers(new PeerId(node, incarnation)));
    opened.add(peer);
    return peer;
  }

  private static void connected(Peer... peers) {
    for (Peer each : peers) {
      await(each.network::isConnected, each.network.self() + " has no connection");
    }
  }

  @Test
  void shouldCarryMessagesOfAllLengths() {
    Peer a = peer(first, 2, 1);
    Peer b = peer(enter(addresses()), 3, 1);
    connected(a, b);
    int number = 1;
    for (int length : new int[] {4, 5, 11, 12, 13, 1000, PeerNetwork.MESSAGE_BYTES_MAX}) {
      assertTrue(a.send(b.network.self(), number, length));
      assertTrue(b.send(a.network.self(), number, length));
      assertTrue(a.send(a.network.self(), number++, length));
    }
    await(() -> b.heard.size() == 7, "not all arrive at b: " + b.heard);
    await(() -> a.heard.size() == 14, "not all arrive at a: " + a.heard);
    assertTrue(a.damaged.isEmpty() && b.damaged.isEmpty());
    assertTrue(b.heard.contains("cn2/1 7 " + PeerNetwork.MESSAGE_BYTES_MAX), b.heard.toString());
    assertThrows(
        IllegalArgumentException.class,
        () -> a.send(b.network.self(), 8, PeerNetwork.MESSAGE_BYTES_MAX + 1));
  }

  /**
   * The constructor fails halfway, so that the caller has no network to close: it must close the
   * first connection itself.
   */
  @Test
  void shouldCloseFirstConnectionIfSecondThreadCannotStart() {
    TcpFabric ofB =
        TcpFabric.enter(
            new ThreadlessEnvironment("nelumbo-messages-1", 1), addresses(), options("member"));
    opened.add(ofB);
    assertThrows(OutOfMemoryError.class, () -> ofB.openPeers(new PeerId(3, 1)));
    await(() -> !isRunning("nelumbo-messages-0"), "the first connection's thread goes on");
    Peer a = peer(first, 2, 1);
    Peer b = peer(ofB, 3, 1);
    connected(a, b);
    a.sendUntilHeard(b, 1, 8);
  }

  private static boolean isRunning(String thread) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(each -> each.getName().equals(thread));
  }

  @Test
  void shouldNotDeliverOldMessagesToLaterIncarnation() {
    Peer a = peer(first, 2, 1);
    TcpFabric ofB = enter(addresses());
    Peer b = peer(ofB, 3, 1);
    connected(a, b);
    a.sendUntilHeard(b, 1, 8);
    Set<String> threads = environment.failures().keySet();
    b.close();
    Peer later = peer(ofB, 3, 2);
    connected(later);
    await(
        () -> {
          a.send(new PeerId(3, 1), 2, 8);
          return a.unreachable.contains(new PeerId(3, 1));
        },
        "a is not told that b has gone");
    a.sendUntilHeard(later, 3, 8);
    assertEquals(Set.of("cn2/1 3 8"), later.heard);
    assertFalse(a.unreachable.contains(new PeerId(3, 2)));
    assertEquals(threads, environment.failures().keySet(), "it is remembered for ever");
  }

  /** A peer that does not read loses its messages and delays no other peer. */
  @Test
  void shouldNotWaitForOneThatDoesNotRead() {
    Peer a = peer(first, 2, 1);
    TcpFabric others = enter(addresses());
    Peer good = peer(others, 3, 1);
    CountDownLatch wakes = new CountDownLatch(1);
    AtomicInteger got = new AtomicInteger();
    TcpPeerNetwork asleep = others.openPeers(new PeerId(4, 1));
    asleep.listen(
        (from, message) -> {
          got.incrementAndGet();
          try {
            wakes.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    try {
      connected(a, good);
      await(asleep::isConnected, "the one that sleeps has no connection");
      int[] sent = new int[1];
      await(
          () -> {
            for (int i = 0; i < 100; i++) {
              a.send(asleep.self(), sent[0]++, PeerNetwork.MESSAGE_BYTES_MAX);
            }
            return lost() > 0;
          },
          "nothing is lost, though nobody reads; sent " + sent[0]);
      for (int number = 0; number < 20; number++) {
        a.sendUntilHeard(good, number, 100);
        good.sendUntilHeard(a, number, 100);
      }
      assertTrue(got.get() <= 1, "told of " + got.get() + " messages at a time");
      wakes.countDown();
      await(
          () -> {
            a.send(asleep.self(), 1, 4);
            return got.get() > 3;
          },
          "the one that slept hears nothing");
    } finally {
      wakes.countDown();
      asleep.close();
    }
    assertTrue(good.damaged.isEmpty() && a.damaged.isEmpty());
  }

  private long lost() {
    return nodes.stream()
        .mapToLong(
            node -> Long.parseLong(node.status().replaceAll("(?s).*messages_lost=(\\d+).*", "$1")))
        .sum();
  }

  @Test
  void shouldNotRelayMessagesOfFencedMember() {
    Peer a = peer(first, 2, 1);
    TcpFabric ofB = enter(addresses());
    Peer b = peer(ofB, 3, 1);
    connected(a, b);
    b.sendUntilHeard(a, 1, 8);
    first.fence(ofB.tenant());
    await(() -> !b.network.isConnected() && !b.send(a.network.self(), 2, 8), "b can still send");
    Peer c = peer(enter(addresses()), 4, 1);
    connected(c);
    c.sendUntilHeard(a, 3, 8);
    await(
        () -> {
          a.send(b.network.self(), 4, 8);
          return a.unreachable.contains(b.network.self());
        },
        "the fenced one is still reached");
  }

  /**
   * Messages of all lengths arrive intact, with several concurrent senders whose frames share
   * writes.
   */
  @Test
  void shouldCarryMessagesOfManyThreads() throws InterruptedException {
    List<Peer> peers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      peers.add(peer(i == 0 ? first : enter(addresses()), 2 + i, 7));
    }
    connected(peers.toArray(new Peer[0]));
    List<Thread> threads = new ArrayList<>();
    for (Peer from : peers) {
      for (int t = 0; t < 2; t++) {
        int base = t * 1000;
        threads.add(
            environment.thread(
                "sender",
                () -> {
                  for (int i = 0; i < 400; i++) {
                    Peer to = peers.get(i % peers.size());
                    from.send(to.network.self(), base + i, 4 + (i * 37) % 3000);
                  }
                }));
      }
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    for (Peer from : peers) {
      for (Peer to : peers) {
        from.sendUntilHeard(to, 5_000, 2_000);
      }
    }
    for (Peer each : peers) {
      assertEquals(List.of(), List.copyOf(each.damaged));
    }
  }

  /** Messages continue through the other memory node, or through the same one after a reconnect. */
  @Test
  void shouldRerouteWhenConnectionIsCut() throws IOException {
    try (Cutter cutter = new Cutter(nodes.getFirst().address())) {
      List<NodeAddress> through = List.of(cutter.address(), nodes.get(1).address());
      Peer a = peer(first, 2, 1);
      Peer b = peer(enter(through), 3, 1);
      connected(a, b);
      a.sendUntilHeard(b, 1, 100);
      cutter.refuse();
      b.sendUntilHeard(a, 2, 100);
      a.sendUntilHeard(b, 3, 100);
      cutter.allow(Integer.MAX_VALUE);
      connected(b);
      a.sendUntilHeard(b, 4, 100);
      assertTrue(b.damaged.isEmpty());
    }
  }

  /** A connection may end after any byte, in either direction, and in any frame. */
  @Test
  void shouldSurviveCutsAtAnyByte() throws IOException {
    try (Cutter cutter = new Cutter(nodes.getFirst().address())) {
      nodes.removeLast().close();
      Peer a = peer(first, 2, 1);
      TcpFabric ofB = enter(List.of(cutter.address()));
      Peer b = peer(ofB, 3, 1);
      for (int bytes = 1; bytes < 1500; bytes += 61) {
        cutter.allowOnce(bytes);
        b.sendUntilHeard(a, bytes, 200);
        a.sendUntilHeard(b, bytes, 200);
      }
      assertEquals(List.of(), List.copyOf(a.damaged));
      assertEquals(List.of(), List.copyOf(b.damaged));
    }
  }

  /** A proxy that forwards a limited number of bytes per connection. */
  private final class Cutter implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final NodeAddress target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile int allowed = Integer.MAX_VALUE;
    private final AtomicInteger first = new AtomicInteger(Integer.MAX_VALUE);

    Cutter(NodeAddress target) throws IOException {
      this.target = target;
      environment.thread("cutter", this::accept).start();
    }

    NodeAddress address() {
      return new NodeAddress("127.0.0.1", listener.getLocalPort());
    }

    /** Closes all present connections, and limits each later one to that many bytes. */
    void allow(int bytes) throws IOException {
      allowed = bytes;
      for (Socket each : List.copyOf(sockets)) {
        sockets.remove(each);
        each.close();
      }
    }

    /** Closes all present connections; only the first later one is limited. */
    void allowOnce(int bytes) throws IOException {
      first.set(bytes);
      allow(Integer.MAX_VALUE);
    }

    void refuse() throws IOException {
      allow(0);
    }

    private void accept() {
      try {
        while (true) {
          Socket here = listener.accept();
          Socket there = new Socket(target.host(), target.port());
          sockets.addAll(Arrays.asList(here, there));
          AtomicInteger left =
              new AtomicInteger(Math.min(allowed, first.getAndSet(Integer.MAX_VALUE)));
          environment.thread("cutter", () -> pass(here, there, left)).start();
          environment.thread("cutter", () -> pass(there, here, left)).start();
        }
      } catch (IOException e) {
        // closed
      }
    }

    private void pass(Socket from, Socket to, AtomicInteger left) {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] bytes = new byte[256];
        int count;
        while ((count = in.read(bytes)) > 0) {
          int before = left.getAndAdd(-count);
          out.write(bytes, 0, Math.clamp(before, 0, count));
          if (before <= count) {
            return;
          }
        }
      } catch (IOException e) {
        // one side has closed its connection
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
      allow(0);
    }
  }
}
