package org.nelumbo.dm.pool;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.fabric.tcp.TcpPeerNetwork;
import org.nelumbo.dm.fabric.tcp.TestCertificate;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;

/**
 * Measures the cost of verbs on each fabric of this machine: flushes of one and of sixteen READs of
 * 64 bytes, by one, four and sixteen threads. Measures also the round trip of a message to another
 * compute node, and as references copies of 64 bytes from raw memory and a ping-pong of 64 bytes on
 * a bare socket. The main class of a program; with the argument {@code messages} it measures only
 * messages over TCP.
 */
final class VerbCost {
  private static final long BYTES = 64 << 20;
  private static final int LENGTH = 64;
  private static final long NANOS = 1_500_000_000L;

  private VerbCost() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0 && arguments[0].equals("messages")) {
      measureTcp("tcp", MemoryNode.Options.DEFAULT, TcpOptions.of("verb cost"), true);
      return;
    }
    rawMemory();
    pingPong();
    try (Fabric local = new LocalFabric(BYTES)) {
      measure("local", local);
    }
    Path file = Path.of("/dev/shm/verb-cost-" + ProcessHandle.current().pid());
    try (Fabric shared = SharedMemory.open(file, new SharedMemory.Wanted(BYTES, 1), 0)) {
      measure("shm", shared);
    } finally {
      Files.deleteIfExists(file);
    }
    measureTcp("tcp", MemoryNode.Options.DEFAULT, TcpOptions.of("verb cost"), false);
    Path folder = Files.createTempDirectory("verb-cost");
    TestCertificate certificate = TestCertificate.make(folder, "EC", "ip:127.0.0.1");
    measureTcp(
        "tls",
        MemoryNode.Options.DEFAULT.withTls(
            Tls.ofNode(certificate.certificate(), certificate.key())),
        TcpOptions.of("verb cost").withTls(Tls.ofClient(certificate.certificate())),
        false);
  }

  private static void measureTcp(
      String name, MemoryNode.Options ofNode, TcpOptions ofClient, boolean isForMessages)
      throws IOException, InterruptedException {
    SystemEnvironment environment = new SystemEnvironment();
    NodeAddress anyPort = new NodeAddress("127.0.0.1", 0);
    try (MemoryNode node =
        new MemoryNode(environment, LocalMemory.reserve(BYTES), anyPort, ofNode)) {
      node.start();
      try (TcpFabric tcp = TcpFabric.open(environment, List.of(node.address()), ofClient)) {
        tcp.share();
        try (TcpFabric other = TcpFabric.enter(environment, List.of(node.address()), ofClient);
            TcpPeerNetwork one = tcp.openPeers(new PeerId(2, 1));
            TcpPeerNetwork two = other.openPeers(new PeerId(3, 1))) {
          messages(name, environment, one, two);
        }
        if (isForMessages) {
          run(tcp, 1, 1, NANOS / 3);
          long[] result = run(tcp, 1, 1, NANOS);
          System.out.printf("RESULT fabric=%s verb p50_us=%.2f%n", name, result[1] / 1000.0);
        } else {
          measure(name, tcp);
        }
      }
    }
  }

  /** Measures the round trip of a message of 64 bytes to another compute node. */
  private static void messages(
      String name, SystemEnvironment environment, PeerNetwork one, PeerNetwork two) {
    AtomicLong answered = new AtomicLong();
    two.listen((from, message) -> two.send(from, message));
    one.listen((from, message) -> answered.set(message.getLong(message.position())));
    long[] samples = new long[1 << 16];
    int count = 0;
    ByteBuffer message = ByteBuffer.allocate(LENGTH);
    long start = System.nanoTime();
    for (long number = 1; System.nanoTime() - start < 2 * NANOS; number++) {
      long sent = System.nanoTime();
      message.putLong(0, number);
      one.send(two.self(), message);
      while (answered.get() != number && System.nanoTime() - sent < 10_000_000) {
        environment.stepAside();
      }
      samples[count++ & (samples.length - 1)] = System.nanoTime() - sent;
    }
    int taken = Math.min(count, samples.length);
    Arrays.sort(samples, 0, taken);
    System.out.printf(
        "RESULT fabric=%s message_round_trips=%d p50_us=%.2f p99_us=%.2f%n",
        name, count, samples[taken / 2] / 1000.0, samples[taken * 99 / 100] / 1000.0);
  }

  /** Measures the lower bound: the same copies without a channel. */
  private static void rawMemory() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BYTES, 64);
      MemorySegment staging = arena.allocate(64 << 10, 64);
      for (int verbs : new int[] {1, 16}) {
        copies(memory, staging, verbs, NANOS / 3);
        long flushes = copies(memory, staging, verbs, NANOS);
        System.out.printf("RESULT raw_memory copies=%d us=%.3f%n", verbs, NANOS / 1000.0 / flushes);
      }
    }
  }

  private static long copies(MemorySegment memory, MemorySegment staging, int verbs, long nanos) {
    long count = 0;
    for (long start = System.nanoTime(); System.nanoTime() - start < nanos; ) {
      for (int v = 0; v < verbs; v++) {
        long offset = (count * 31 + v) * 4096 % (BYTES - 4096);
        MemorySegment.copy(memory, offset, staging, (long) v * LENGTH, LENGTH);
      }
      count++;
    }
    return count;
  }

  private static void measure(String name, Fabric fabric) throws InterruptedException {
    for (int verbs : new int[] {1, 16}) {
      for (int threads : new int[] {1, 4, 16}) {
        run(fabric, verbs, threads, NANOS / 3);
        long[] result = run(fabric, verbs, threads, NANOS);
        System.out.printf(
            "RESULT fabric=%s verbs=%d threads=%d flushes_per_s=%d us_per_flush=%.2f p50_us=%.2f%n",
            name,
            verbs,
            threads,
            result[0] * 1_000_000_000L / NANOS,
            NANOS / 1000.0 * threads / result[0],
            result[1] / 1000.0);
      }
    }
  }

  private static long[] run(Fabric fabric, int verbs, int threads, long nanos)
      throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    long[][] counts = new long[threads][2];
    for (int t = 0; t < threads; t++) {
      long[] count = counts[t];
      all.add(new Thread(() -> flushes(fabric, verbs, nanos, count)));
    }
    all.forEach(Thread::start);
    for (Thread each : all) {
      each.join();
    }
    long sum = Arrays.stream(counts).mapToLong(c -> c[0]).sum();
    return new long[] {sum, counts[0][1]};
  }

  private static void flushes(Fabric fabric, int verbs, long nanos, long[] count) {
    long[] samples = new long[1 << 16];
    try (Channel channel = fabric.openChannel(64 << 10)) {
      long start = System.nanoTime();
      long last = start;
      while (last - start < nanos) {
        for (int v = 0; v < verbs; v++) {
          long offset = (count[0] * 31 + v) * 4096 % (BYTES - 4096);
          channel.read(PoolAddress.of(0, offset), v * LENGTH, LENGTH);
        }
        channel.flush();
        long now = System.nanoTime();
        samples[(int) count[0] & (samples.length - 1)] = now - last;
        last = now;
        count[0]++;
      }
    }
    int taken = (int) Math.min(count[0], samples.length);
    Arrays.sort(samples, 0, taken);
    count[1] = samples[taken / 2];
  }

  private static void pingPong() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread echo = new Thread(() -> echo(listener));
      echo.setDaemon(true);
      echo.start();
      try (Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
        socket.setTcpNoDelay(true);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        byte[] bytes = new byte[LENGTH];
        long count = 0;
        long start = 0;
        for (int i = 0; start == 0 || System.nanoTime() - start < NANOS; i++) {
          out.write(bytes);
          in.readFully(bytes);
          if (i == 20_000) {
            start = System.nanoTime();
            count = 0;
          }
          count++;
        }
        System.out.printf("RESULT bare_socket us_per_round=%.2f%n", NANOS / 1000.0 / count);
      }
    }
  }

  private static void echo(ServerSocket listener) {
    byte[] bytes = new byte[LENGTH];
    try (Socket socket = listener.accept()) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        in.readFully(bytes);
        socket.getOutputStream().write(bytes);
      }
    } catch (IOException e) {
      // the other side has finished and closed the connection
    }
  }
}
