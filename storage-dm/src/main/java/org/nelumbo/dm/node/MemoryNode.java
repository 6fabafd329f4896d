package org.nelumbo.dm.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.HugePages;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.rdma.DeviceName;
import org.nelumbo.dm.fabric.tcp.LinkOptions;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Nonce;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.fabric.tcp.SpinThenBlock;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.fabric.tcp.Transcript;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.dm.redo.node.RedoReceiver;
import org.nelumbo.dm.replication.intent.ViewProgress;
import org.nelumbo.dm.replication.view.NodeReport;
import org.nelumbo.dm.replication.view.PoolMembership;
import org.nelumbo.dm.superblock.PoolOwner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A memory node: it listens for connections, and executes verbs on its memory for the compute nodes
 * that have attached. It does not interpret the content of the memory, except for the epoch in the
 * superblock.
 */
public final class MemoryNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryNode.class);

  private static final long WATCH_NANOS = 100_000_000;

  /** Classes that only connections use. */
  private static final List<Class<?>> CONNECTION_CLASSES =
      List.of(
          PeerConnection.class,
          FrameBuffer.class,
          VerbFrame.class,
          ProtocolException.class,
          Tenant.class,
          TenantTable.class,
          TenantRequests.class,
          MessageQueue.class,
          PeerId.class,
          RefusedException.class,
          RedoReceiver.class,
          QueuePairTable.class,
          Transcript.class,
          LinkOptions.class,
          SpinThenBlock.class,
          PoolOwner.class);

  private final Environment environment;
  private final Options options;
  private final LocalFabric memory;
  private final NodeMemory region;
  private final MemorySeal seal;
  private final FillForecast forecast;
  private final CountingFabric counted;
  private final NodeCounters counters;
  private final TenantTable tenants;
  private final MessageRelay relay = new MessageRelay();
  private final NodeAcceptor voter;

  /** Null if the node has no log, or is still reading it. */
  private volatile NodeLog log;

  /** Returns the progress of loading the memory; null if it is complete. */
  private volatile Supplier<String> loading;

  private final ServerSocket listener;
  private final ConnectionAcceptor acceptor;
  private final Thread acceptorThread;
  private final BackgroundThread watch;
  private final ConnectionTable connections;
  private final byte[] salt = Nonce.make(Wire.SALT_LENGTH);
  private final LogThrottle[] refusals = new LogThrottle[NodeCounters.Refusal.values().length];
  private final Channel channel;

  /** Null if verbs arrive over TCP. */
  private final RdmaPort rdma;

  private final AtomicBoolean closed = new AtomicBoolean();

  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * Options of a memory node.
   *
   * @param secrets secrets that authenticate peers
   * @param leaseNanos silence of a compute node after which another may take over
   * @param connectionsMax maximum number of connections, not counting unauthenticated ones
   * @param handshakeNanos time limit of a connection for its attach or request
   * @param tls encryption; null for none
   * @param votes file of the promises of this acceptor, if its memory is in a file as well; null if
   *     the promises are lost with the memory when the process ends
   * @param isWitness true if the node has no data, and only votes
   * @param rdma device that executes verbs; null if they arrive over TCP
   */
  public record Options(
      Secrets secrets,
      long leaseNanos,
      int connectionsMax,
      long handshakeNanos,
      Tls tls,
      Path votes,
      boolean isWitness,
      DeviceName rdma) {
    /**
     * Default options: no secret, a lease of ten seconds, 256 connections, ten seconds for a
     * handshake.
     */
    public static final Options DEFAULT =
        new Options(Secrets.NONE, 10_000_000_000L, 256, 10_000_000_000L, null, null, false, null);

    /** Returns options with one secret; none if it is empty. */
    public Options withSecret(String value) {
      return withSecrets(Secrets.of(value));
    }

    public Options withSecrets(Secrets value) {
      return new Options(
          value, leaseNanos, connectionsMax, handshakeNanos, tls, votes, isWitness, rdma);
    }

    public Options withLeaseNanos(long value) {
      return new Options(
          secrets, value, connectionsMax, handshakeNanos, tls, votes, isWitness, rdma);
    }

    public Options withConnectionsMax(int value) {
      return new Options(secrets, leaseNanos, value, handshakeNanos, tls, votes, isWitness, rdma);
    }

    public Options withHandshakeNanos(long value) {
      return new Options(secrets, leaseNanos, connectionsMax, value, tls, votes, isWitness, rdma);
    }

    public Options withTls(Tls value) {
      return new Options(
          secrets, leaseNanos, connectionsMax, handshakeNanos, value, votes, isWitness, rdma);
    }

    /** Returns options of a node without data that only votes. */
    public Options asWitness() {
      return new Options(
          secrets, leaseNanos, connectionsMax, handshakeNanos, tls, votes, true, rdma);
    }

    public Options withVotes(Path value) {
      return new Options(
          secrets, leaseNanos, connectionsMax, handshakeNanos, tls, value, isWitness, rdma);
    }

    /** Returns options of a node that offers its memory only by RDMA. */
    public Options withRdma(DeviceName value) {
      return new Options(
          secrets, leaseNanos, connectionsMax, handshakeNanos, tls, votes, isWitness, value);
    }
  }

  /**
   * Listens at an address; {@link #start} starts to serve. The node releases the memory.
   *
   * @throws IOException if the address is unusable
   * @throws PoolOpenException if the file for its votes is unusable
   */
  public MemoryNode(
      Environment environment, NodeMemory memory, NodeAddress address, Options options)
      throws IOException {
    this(environment, memory, address, options, null, null);
  }

  /**
   * Creates a node whose log is still being read. Until {@link #loaded} is called, it only reports
   * its progress.
   *
   * @param loading returns the progress for messages
   */
  public MemoryNode(
      Environment environment,
      NodeMemory memory,
      NodeAddress address,
      Options options,
      Supplier<String> loading)
      throws IOException {
    this(environment, memory, address, options, null, loading);
  }

  /**
   * Creates a node with a log whose content is in the memory already.
   *
   * @param log log whose files have been read; {@link #close} closes it, unless this throws
   */
  public MemoryNode(
      Environment environment, NodeMemory memory, NodeAddress address, Options options, NodeLog log)
      throws IOException {
    this(environment, memory, address, options, log, null);
  }

  private MemoryNode(
      Environment environment,
      NodeMemory memory,
      NodeAddress address,
      Options options,
      NodeLog log,
      Supplier<String> loading)
      throws IOException {
    this.log = log;
    this.loading = loading;
    this.environment = environment;
    this.options = options;
    this.listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(InetAddress.getByName(address.host()), address.port()));
    this.voter = acceptor(environment, options.votes(), listener);
    this.region = memory;
    this.seal = new MemorySeal(environment, memory);
    this.forecast = new FillForecast(ChunkPool.ordinaryBytes(memory.bytes()));
    this.memory = new LocalFabric(new NodeMemory[] {memory});
    this.counted = new CountingFabric(this.memory);
    this.counters = new NodeCounters(counted::snapshot);
    this.rdma = options.rdma() == null ? null : openRdma(options.rdma());
    this.channel = rdma == null ? this.memory.openChannel(64) : rdma.openLoop(64);
    writeIncarnation();
    this.tenants = new TenantTable(environment, channel, options.leaseNanos());
    voter.setFence(tenants::fence);
    this.connections = new ConnectionTable(options.connectionsMax(), options.handshakeNanos());
    Arrays.setAll(refusals, each -> new LogThrottle(environment));
    this.acceptor =
        new ConnectionAcceptor(environment, listener::accept, this::serve, closed::get, counters);
    this.acceptorThread = environment.thread("nelumbo-memory-node", acceptor);
    this.watch = new BackgroundThread(environment, "nelumbo-memory-node-watch", this::watch);
  }

  /**
   * Returns true if the node belongs to a replicated pool, according to the file of its votes. Then
   * the compute node that attaches to all nodes loads the log.
   *
   * @throws IOException if the file is unusable
   */
  public static boolean hasVoted(Environment environment, Path votes) throws IOException {
    try (NodeAcceptor voter = NodeAcceptor.of(environment, votes)) {
      return voter.hasDecision();
    }
  }

  private static NodeAcceptor acceptor(Environment environment, Path file, ServerSocket listener)
      throws IOException {
    try {
      return file == null
          ? NodeAcceptor.forgetful(environment)
          : NodeAcceptor.of(environment, file);
    } catch (IOException e) {
      String why = e instanceof FileSystemException ? e.toString() : e.getMessage();
      try (listener) {
        throw new PoolOpenException(
            "its promises to other nodes cannot be stored in " + file + ": " + why, e);
      }
    }
  }

  private RdmaPort openRdma(DeviceName device) throws IOException {
    try {
      return new RdmaPort(environment, device, region);
    } catch (PoolOpenException e) {
      try (listener) {
        voter.close();
        throw e;
      }
    }
  }

  private void writeIncarnation() {
    channel.writeLong(
        PoolAddress.of(0, SuperblockLayout.INCARNATION_OFFSET), environment.randomLong());
    channel.flush();
  }

  /**
   * Starts to serve.
   *
   * @throws PoolOpenException if the log cannot be written
   */
  public void start() {
    prepare();
    if (log != null) {
      start(log);
    }
    watch.start();
    acceptorThread.start();
  }

  /**
   * Ends loading: the node serves from now on, or from its {@link #start} on.
   *
   * @param read log whose files have been read; {@link #close} closes it, unless this throws
   * @throws PoolOpenException if the log cannot be written
   */
  public void loaded(NodeLog read) {
    if (acceptorThread.isAlive()) {
      start(read);
    }
    writeIncarnation();
    log = read;
    loading = null;
  }

  private static void start(NodeLog log) {
    try {
      log.start();
    } catch (IOException e) {
      throw new PoolOpenException("the log cannot be written: " + e, e);
    }
  }

  /** Returns the progress of loading the memory, or null if it is complete. */
  public String loading() {
    Supplier<String> now = loading;
    return now == null ? null : now.get();
  }

  /**
   * Called while file descriptors are available, because a class that could not be loaded once is
   * never found again.
   */
  private void prepare() {
    keys();
    LOG.debug("{} {} {}", status(), part(), CONNECTION_CLASSES);
  }

  /** Returns the listening address, with the actual port if port 0 was requested. */
  public NodeAddress address() {
    return new NodeAddress(listener.getInetAddress().getHostAddress(), listener.getLocalPort());
  }

  private void serve(Socket socket) throws IOException {
    PeerConnection connection = null;
    try {
      counters.countAccepted();
      connection = new PeerConnection(this, tenants, socket);
      Thread thread =
          environment.thread("nelumbo-peer-" + socket.getRemoteSocketAddress(), connection);
      connections.enter(connection, thread, environment.nanoTime());
      thread.start();
    } catch (Throwable e) {
      counters.countRefused(NodeCounters.Refusal.RESOURCES);
      try (socket) {
        if (connection != null) {
          connections.leave(connection);
        }
      }
      throw e;
    }
  }

  private void watch() {
    long looked = environment.nanoTime() - FillForecast.INTERVAL_NANOS;
    while (!closed.get()) {
      long now = environment.nanoTime();
      connections.cutOverdue(now);
      if (now - looked >= FillForecast.INTERVAL_NANOS && loading == null) {
        looked = now;
        forecast.sample(now, takenBytes());
      }
      seal.look(now);
      environment.parkNanos(WATCH_NANOS);
    }
  }

  /**
   * Counts a refused connection, and logs it at a limited rate.
   *
   * @param text message with SLF4J placeholders
   */
  void refused(NodeCounters.Refusal why, String text, Object... values) {
    counters.countRefused(why);
    long times = refusals[why.ordinal()].admit();
    if (times > 0) {
      LOG.atWarn()
          .log(text + (times > 1 ? " (" + times + " such in the last seconds)" : ""), values);
    }
  }

  Environment environment() {
    return environment;
  }

  /** Returns the seal that connections break before they change the memory. */
  MemorySeal seal() {
    return seal;
  }

  void left(PeerConnection connection) {
    connections.leave(connection);
  }

  /** Returns true if an authenticated connection gets a slot. */
  boolean welcome(PeerConnection connection, boolean isKept) {
    return connections.welcome(connection, isKept);
  }

  /** Returns true if connections cannot be accepted at present. */
  public boolean isFailingToAccept() {
    return acceptor.isFailing();
  }

  Channel openChannel(int stagingBytes) {
    return counted.openChannel(stagingBytes);
  }

  /** Returns the salt of the keys of connections, which differs between processes. */
  byte[] salt() {
    return salt;
  }

  boolean demandsSecret() {
    return !options.secrets().isEmpty();
  }

  /** Returns the keys that a connection may prove to know; an empty one if there is no secret. */
  List<byte[]> keys() {
    List<byte[]> keys = options.secrets().keys(salt);
    return keys.isEmpty() ? List.of(new byte[0]) : keys;
  }

  /** Returns the RDMA port; null if verbs arrive over TCP. */
  RdmaPort rdma() {
    return rdma;
  }

  /** Returns the device that offers the memory, for messages; empty if verbs arrive over TCP. */
  public String rdmaDevice() {
    return rdma == null ? "" : rdma.describe();
  }

  /** Returns the bytes of its memory that are in huge pages; or {@link HugePages#UNKNOWN}. */
  public long hugeBytes() {
    return HugePages.bytes(region.address(), region.bytes());
  }

  /** Returns the relay of messages between compute nodes. */
  MessageRelay relay() {
    return relay;
  }

  /** Returns the TLS configuration; null if connections are not encrypted. */
  Tls tls() {
    return options.tls();
  }

  /** Returns true if the node has no data, and only votes. */
  boolean isWitness() {
    return options.isWitness();
  }

  /** Returns the log of the pool; null if the node has none. */
  NodeLog log() {
    return log;
  }

  /** Returns true if the node keeps a log of its pool on a disk. */
  public boolean isDurable() {
    return log != null;
  }

  /** Returns the bytes of the log behind the newest checkpoint; 0 without a log. */
  public long logBytes() {
    return log == null ? 0 : log.bytes();
  }

  /** Returns the bytes of the newest checkpoint; 0 if there is none. */
  public long checkpointBytes() {
    return log == null ? 0 : log.checkpointBytes();
  }

  /** Returns the reason why the log cannot be written; null if it can be, or there is none. */
  public Throwable logFailure() {
    return log == null ? null : log.failure();
  }

  /** Returns the name of the pool; empty if it has none, or is not formatted yet. */
  String poolName() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.poolName(looking, bytes());
    }
  }

  /** Returns true if the node has learned a decision of the acceptors of a replicated pool. */
  boolean hasPartInCopies() {
    return voter.hasDecision();
  }

  /** Responds to a request of agreement as an acceptor. */
  byte[] agree(byte[] request) {
    return voter.reply(request);
  }

  /** Returns the size of the memory in bytes. */
  public long bytes() {
    return memory.nodeBytes(0);
  }

  /** Returns the bytes of the memory that are allocated by compute nodes; 0 if there is no pool. */
  public long takenBytes() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.takenBytes(looking, bytes());
    }
  }

  /** Returns the bytes that the system can still provide to this node; unbounded if unknown. */
  public long availableBytes() {
    return region.availableBytes();
  }

  /**
   * Returns the seconds until the memory is full at its present growth; infinite if it does not
   * grow.
   */
  public double secondsUntilFull() {
    return forecast.secondsUntilFull();
  }

  /** Returns true if the node accepts connections, or tries to. */
  public boolean isServing() {
    return !closed.get() && acceptorThread.isAlive();
  }

  /** Returns the membership of this node in a pool, as far as the node knows it. */
  public PoolMembership part() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.part(looking);
    }
  }

  /**
   * Returns the owner that would lose data if the node stopped now, because this node has the only
   * live copy. Empty if there is no owner, or other nodes have live copies of all data and all
   * compute nodes use them.
   */
  public String userOfLastCopy() {
    String owner = tenants.owner();
    if (owner.isEmpty()) {
      return "";
    }
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      boolean isNeeded = NodeReport.isLastCopy(looking) || !ViewProgress.isReached(looking);
      return isNeeded ? owner : "";
    }
  }

  /** Returns the number of the node in a replicated pool; 0 in other pools. */
  public int number() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.number(looking);
    }
  }

  /** Returns the nanoseconds since the last frame of the owner; 0 if there is no owner. */
  public long ownerSilentNanos() {
    return tenants.silentNanos();
  }

  /** Returns the counters since the start. */
  public NodeCounters counters() {
    return counters;
  }

  /** Returns the number of verbs executed since the start. */
  public long verbs() {
    return counters.verbs().verbs();
  }

  /** Returns the present number of connections of all kinds. */
  public int connections() {
    return connections.size();
  }

  /** Returns the epoch that the node serves; 0 if no compute node has attached since its start. */
  public long epoch() {
    return tenants.epoch();
  }

  /** Returns true if a compute node is attached. */
  public boolean isOwned() {
    return tenants.isOwned();
  }

  /** Returns the status of the node: lines of {@code key=value}. */
  public String status() {
    String progress = loading();
    if (progress != null) {
      return "bytes=" + bytes() + "\n" + loadingLine(progress);
    }
    return "bytes="
        + bytes()
        + "\n"
        + tenants.status()
        + (rdma == null ? "" : rdma.status())
        + "frames="
        + counters.frames()
        + "\nverbs="
        + verbs()
        + "\n"
        + relay.status()
        + "taken="
        + takenBytes()
        + "\nfull_in="
        + (secondsUntilFull() == FillForecast.NEVER ? "never" : (long) secondsUntilFull() + "s")
        + "\n"
        + contents()
        + (poolLoading().isEmpty() ? "" : loadingLine(poolLoading()))
        + (log == null ? "" : log.status())
        + voter.status();
  }

  private static String loadingLine(String progress) {
    return "loading=" + progress.replaceAll("[\\s\\p{Cntrl}]", "_") + "\n";
  }

  private String poolLoading() {
    String progress = log == null ? null : log.loading();
    return progress == null ? "" : progress;
  }

  /**
   * Appends the response to HEADER, the description that a compute node needs before it attaches.
   */
  void putHeader(ByteBuffer out) {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      String name = NodeReport.poolName(looking, bytes());
      byte[] header = NodeReport.header(looking);
      out.putLong(bytes()).putLong(isOwned() ? tenants.silentNanos() : -1);
      out.putInt(header.length).put(header);
      Wire.putText(out, name);
      out.putLong(log == null ? 0 : log.id()).putLong(tenants.leaseNanos());
      Wire.putText(out, poolLoading());
    }
  }

  /** Returns the cluster configuration; empty if there is none, or it is on another node. */
  byte[] configuration() {
    try (Channel looking = memory.openChannel(NodeReport.CONFIGURATION_STAGING_BYTES)) {
      return NodeReport.configuration(looking, bytes());
    }
  }

  private String contents() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.describe(looking);
    }
  }

  /**
   * Waits until another thread has closed the node.
   *
   * @throws IllegalStateException if it ends without having been closed
   */
  public void awaitClose() throws InterruptedException {
    acceptorThread.join();
    if (!closed.get()) {
      throw new IllegalStateException("the thread that accepts connections has ended");
    }
    awaitEnded();
  }

  /**
   * Waits for threads that end on their own, because the resources that they wait for are closed.
   * Continues if interrupted.
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
   * Closes all connections and releases the memory. When this returns, the port is closed (the
   * system accepts connections as long as a thread waits for one), and the file is unlocked. A
   * concurrent call waits for the first one.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        closeAll();
      } finally {
        ended.countDown();
      }
    } else {
      awaitEnded();
    }
  }

  /** Continues if interrupted, because the process may end when this returns. */
  private void awaitEnded() {
    boolean interrupted = false;
    while (ended.getCount() > 0) {
      try {
        ended.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAll() {
    try {
      listener.close();
    } catch (IOException e) {
      LOG.debug("closing the listener: {}", e.toString());
    }
    watch.stop();
    LockSupport.unpark(acceptorThread);
    await(List.of(acceptorThread));
    watch.join();
    Map<ConnectionTable.Peer, Thread> peers = connections.all();
    peers.keySet().forEach(ConnectionTable.Peer::end);
    await(List.copyOf(peers.values()));
    if (log != null) {
      log.close();
    }
    voter.close();
    channel.close();
    if (rdma != null) {
      rdma.close();
    }
    memory.close();
  }
}
