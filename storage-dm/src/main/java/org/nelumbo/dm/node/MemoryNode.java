package org.nelumbo.dm.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.KeyGenerator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.NodeReport;
import org.nelumbo.dm.replication.view.PoolMembership;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A memory node: listens, and does verbs on its memory for the compute node that has attached to
 * it. It knows nothing of what is in the memory, but for the epoch in the superblock.
 */
public final class MemoryNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryNode.class);

  private final Environment environment;
  private final Options options;
  private final LocalFabric memory;
  private final CountingFabric counted;
  private final NodeCounters counters;
  private final OwnershipLease ownershipLease;
  private final ServerSocket listener;
  private final Thread acceptor;
  private final Map<PeerConnection, Thread> connections = new ConcurrentHashMap<>();
  private final Channel channel;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Settings of a memory node.
   *
   * @param secret what whoever connects has to know; empty: nothing
   * @param leaseNanos how long a compute node may be silent before another may take over
   * @param connectionsMax most connections at a time
   * @param tls how to encrypt; null: not at all
   */
  public record Options(String secret, long leaseNanos, int connectionsMax, Tls tls) {
    /** No secret, a lease of ten seconds, 256 connections. */
    public static final Options DEFAULT = new Options("", 10_000_000_000L, 256, null);

    public Options withSecret(String value) {
      return new Options(value, leaseNanos, connectionsMax, tls);
    }

    public Options withLeaseNanos(long value) {
      return new Options(secret, value, connectionsMax, tls);
    }

    public Options withConnectionsMax(int value) {
      return new Options(secret, leaseNanos, value, tls);
    }

    public Options withTls(Tls value) {
      return new Options(secret, leaseNanos, connectionsMax, value);
    }
  }

  /**
   * Listens at an address; {@link #start} begins to serve. The node releases the memory.
   *
   * @throws IOException if the address cannot be used
   */
  public MemoryNode(
      Environment environment, NodeMemory memory, NodeAddress address, Options options)
      throws IOException {
    this.environment = environment;
    this.options = options;
    this.listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(InetAddress.getByName(address.host()), address.port()));
    this.memory = new LocalFabric(new NodeMemory[] {memory});
    this.counted = new CountingFabric(this.memory);
    this.counters = new NodeCounters(counted::snapshot);
    this.channel = this.memory.openChannel(64);
    channel.writeLong(
        PoolAddress.of(0, SuperblockLayout.INCARNATION_OFFSET), environment.randomLong());
    channel.flush();
    this.ownershipLease = new OwnershipLease(environment, channel, options.leaseNanos());
    this.acceptor = environment.thread("nelumbo-memory-node", this::accept);
  }

  /** Begins to serve. */
  public void start() {
    acceptor.start();
  }

  /** Address at which it listens; with the real port if 0 was asked for. */
  public NodeAddress address() {
    return new NodeAddress(listener.getInetAddress().getHostAddress(), listener.getLocalPort());
  }

  private void accept() {
    while (!closed.get()) {
      try {
        serve(listener.accept());
      } catch (IOException e) {
        if (!closed.get()) {
          LOG.warn("cannot accept a connection: {}", e.toString());
          environment.parkNanos(10_000_000);
        }
      }
    }
  }

  private void serve(Socket socket) throws IOException {
    if (connections.size() >= options.connectionsMax()) {
      LOG.warn("too many connections: closing that from {}", socket.getRemoteSocketAddress());
      counters.countRefused(NodeCounters.Refusal.LIMIT);
      socket.close();
      return;
    }
    counters.countAccepted();
    PeerConnection connection = new PeerConnection(this, ownershipLease, socket, nonce());
    Thread thread =
        environment.thread("nelumbo-peer-" + socket.getRemoteSocketAddress(), connection);
    connections.put(connection, thread);
    thread.start();
  }

  /** Bytes that nobody can guess, by the way of a key that is used for nothing else. */
  private static byte[] nonce() {
    try {
      KeyGenerator generator = KeyGenerator.getInstance("HmacSHA256");
      generator.init(Wire.NONCE_LENGTH * Byte.SIZE);
      return Arrays.copyOf(generator.generateKey().getEncoded(), Wire.NONCE_LENGTH);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  Environment environment() {
    return environment;
  }

  void left(PeerConnection connection) {
    connections.remove(connection);
  }

  Channel openChannel(int stagingBytes) {
    return counted.openChannel(stagingBytes);
  }

  String secret() {
    return options.secret();
  }

  /** Null: nothing is encrypted. */
  Tls tls() {
    return options.tls();
  }

  /** Bytes of the memory. */
  public long bytes() {
    return memory.nodeBytes(0);
  }

  /** Bytes of the memory that compute nodes have been given; 0 if there is no pool. */
  public long takenBytes() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.takenBytes(looking, bytes());
    }
  }

  /** Its part in a pool, as far as it knows. */
  public PoolMembership part() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.part(looking);
    }
  }

  /** Nanoseconds since the owner was heard of; 0 if nobody is attached. */
  public long ownerSilentNanos() {
    return ownershipLease.silentNanos();
  }

  /** Counters since the start. */
  public NodeCounters counters() {
    return counters;
  }

  /** Verbs done since the start. */
  public long verbs() {
    return counters.verbs().verbs();
  }

  /** Connections there are now, of whatever kind. */
  public int connections() {
    return connections.size();
  }

  /** The epoch it serves; 0 if nobody has attached since it started. */
  public long epoch() {
    return ownershipLease.epoch();
  }

  /** Whether a compute node is attached. */
  public boolean isOwned() {
    return ownershipLease.isOwned();
  }

  /** Status of the node: lines of {@code key=value}. */
  public String status() {
    return "bytes="
        + bytes()
        + "\n"
        + ownershipLease.status()
        + "frames="
        + counters.frames()
        + "\nverbs="
        + verbs()
        + "\n"
        + contents();
  }

  /** Membership of the node in a pool, in one line; empty if it has nothing of one. */
  private String contents() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.describe(looking);
    }
  }

  /** Waits until it has been closed by another thread. */
  public void awaitClose() throws InterruptedException {
    acceptor.join();
  }

  /**
   * Waits for threads that end on their own, since what they wait for is closed; also if
   * interrupted.
   */
  private static void await(List<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Closes all connections and releases the memory: once this returns, nobody listens any more (the
   * system goes on accepting for as long as a thread waits for a connection), and a file is free
   * for the next.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      listener.close();
    } catch (IOException e) {
      LOG.debug("closing the listener: {}", e.toString());
    }
    await(List.of(acceptor));
    List<Thread> peers = List.copyOf(connections.values());
    connections.keySet().forEach(PeerConnection::revoke);
    await(peers);
    channel.close();
    memory.close();
  }
}
