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
import org.nelumbo.dm.replication.view.NodeReport;
import org.nelumbo.dm.replication.view.PoolMembership;
import org.nelumbo.dm.superblock.PoolOwner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A memory node: listens, and does verbs on its memory for the compute nodes that have attached to
 * it. It knows nothing of what is in the memory, but for the epoch in the superblock.
 */
public final class MemoryNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryNode.class);

  /** How often it is looked for those who take too long. */
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

  /** Null: what is committed is in memory only; or the log is still being read. */
  private volatile NodeLog log;

  /** Tells how far its memory is loaded; null: all is there. */
  private volatile Supplier<String> loading;

  private final ServerSocket listener;
  private final ConnectionAcceptor acceptor;
  private final Thread acceptorThread;
  private final BackgroundThread watch;
  private final ConnectionTable connections;
  private final byte[] salt = Nonce.make(Wire.SALT_LENGTH);
  private final LogThrottle[] refusals = new LogThrottle[NodeCounters.Refusal.values().length];
  private final Channel channel;

  /** Null: verbs come over TCP. */
  private final RdmaPort rdma;

  private final AtomicBoolean closed = new AtomicBoolean();

  /** Everything is closed. */
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * Settings of a memory node.
   *
   * @param secrets what whoever connects has to know
   * @param leaseNanos how long a compute node may be silent before another may take over
   * @param connectionsMax most connections at a time, besides those that have just come
   * @param handshakeNanos how long a connection may take until it has attached, or asked
   * @param tls how to encrypt; null: not at all
   * @param votes file of what it promises when nodes agree, if its memory is in a file, too; null:
   *     it forgets that with its memory when it ends
   * @param isWitness whether it has no data, and only decides with others
   * @param rdma the device by which verbs are done; null: they come over TCP
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
    /** No secret, a lease of ten seconds, 256 connections, ten seconds for a handshake. */
    public static final Options DEFAULT =
        new Options(Secrets.NONE, 10_000_000_000L, 256, 10_000_000_000L, null, null, false, null);

    /** One secret; none if it is empty. */
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

    /** Has no data, and only decides with others. */
    public Options asWitness() {
      return new Options(
          secrets, leaseNanos, connectionsMax, handshakeNanos, tls, votes, true, rdma);
    }

    public Options withVotes(Path value) {
      return new Options(
          secrets, leaseNanos, connectionsMax, handshakeNanos, tls, value, isWitness, rdma);
    }

    /** Offers its memory by RDMA, and by nothing else. */
    public Options withRdma(DeviceName value) {
      return new Options(
          secrets, leaseNanos, connectionsMax, handshakeNanos, tls, votes, isWitness, value);
    }
  }

  /**
   * Listens at an address; {@link #start} begins to serve. The node releases the memory.
   *
   * @throws IOException if the address cannot be used
   * @throws PoolOpenException if the file for its votes cannot be used
   */
  public MemoryNode(
      Environment environment, NodeMemory memory, NodeAddress address, Options options)
      throws IOException {
    this(environment, memory, address, options, null, null);
  }

  /**
   * A node that keeps a log of its pool, which is still being read. Until it has been told that
   * {@link #loaded} is so, it tells whoever comes how far that is, and does nothing else.
   *
   * @param loading how far it is, for people
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
   * A node that keeps a log of its pool, and what it has is in its memory already.
   *
   * @param log of which the files have been read; {@link #close} closes it, unless this throws
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
   * Whether a node has a part in a pool with copies, as the file of its votes says: what is in its
   * log is loaded by who attaches to all nodes then.
   *
   * @throws IOException if the file cannot be used
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
            "what it promises to other nodes cannot be kept in " + file + ": " + why, e);
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
   * Begins to serve.
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
   * What was loaded is in its memory: it serves from now on, or from its {@link #start} on.
   *
   * @param read the log, of which the files have been read; {@link #close} closes it, unless this
   *     throws
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

  /** How far its memory is loaded, if it is not all there yet; else null. */
  public String loading() {
    Supplier<String> now = loading;
    return now == null ? null : now.get();
  }

  /**
   * Loads what connections need, while there are descriptors for it: a class that could not be
   * loaded once is never found again.
   */
  private void prepare() {
    keys();
    LOG.debug("{} {} {}", status(), part(), CONNECTION_CLASSES);
  }

  /** Address at which it listens; with the real port if 0 was asked for. */
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

  /**
   * Cuts off those who take too long to say who they are, and looks how full the memory is, until
   * the node is closed.
   */
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
   * Counts that a connection was refused, and logs it, but not more often than a log bears.
   *
   * @param text as SLF4J takes it
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

  /** Whether a connection that has shown what it may gets a slot. */
  boolean welcome(PeerConnection connection, boolean isKept) {
    return connections.welcome(connection, isKept);
  }

  /** Whether connections cannot be accepted at the moment. */
  public boolean isFailingToAccept() {
    return acceptor.isFailing();
  }

  Channel openChannel(int stagingBytes) {
    return counted.openChannel(stagingBytes);
  }

  /** What connections' keys are made with; another one in each process. */
  byte[] salt() {
    return salt;
  }

  boolean demandsSecret() {
    return !options.secrets().isEmpty();
  }

  /**
   * The keys of which a connection has to prove to know one; an empty one if there is no secret.
   */
  List<byte[]> keys() {
    List<byte[]> keys = options.secrets().keys(salt);
    return keys.isEmpty() ? List.of(new byte[0]) : keys;
  }

  /** Null: verbs come over TCP. */
  RdmaPort rdma() {
    return rdma;
  }

  /** The device by which it offers its memory, for people; empty if it does so over TCP. */
  public String rdmaDevice() {
    return rdma == null ? "" : rdma.describe();
  }

  /** Bytes of its memory that are in huge pages; or {@link HugePages#UNKNOWN}. */
  public long hugeBytes() {
    return HugePages.bytes(region.address(), region.bytes());
  }

  /** Messages between compute nodes. */
  MessageRelay relay() {
    return relay;
  }

  /** Null: nothing is encrypted. */
  Tls tls() {
    return options.tls();
  }

  /** Whether it has no data, and only decides with others. */
  boolean isWitness() {
    return options.isWitness();
  }

  /** Log of the pool on a disk; null if there is none. */
  NodeLog log() {
    return log;
  }

  /** Whether it keeps a log of its pool on a disk. */
  public boolean isDurable() {
    return log != null;
  }

  /** Bytes of the log behind the newest checkpoint; 0 if it keeps none. */
  public long logBytes() {
    return log == null ? 0 : log.bytes();
  }

  /** Bytes of the newest checkpoint; 0 if there is none. */
  public long checkpointBytes() {
    return log == null ? 0 : log.checkpointBytes();
  }

  /** Why the log cannot be written any more; null if it can, or there is none. */
  public Throwable logFailure() {
    return log == null ? null : log.failure();
  }

  /** What the pool is called; empty if it has no name, or is not made yet. */
  String poolName() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.poolName(looking, bytes());
    }
  }

  /** Whether it has been told what those have decided that keep the copies of a pool. */
  boolean hasPartInCopies() {
    return voter.hasDecision();
  }

  /** Answers a request of agreement as an acceptor. */
  byte[] agree(byte[] request) {
    return voter.answer(request);
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

  /** Bytes that the system can still give this node; without bound if that is not known. */
  public long availableBytes() {
    return region.availableBytes();
  }

  /** Seconds until all memory is handed out, if that goes on as it did; infinite if it does not. */
  public double secondsUntilFull() {
    return forecast.secondsUntilFull();
  }

  /** Whether it accepts connections, or tries to. */
  public boolean isServing() {
    return !closed.get() && acceptorThread.isAlive();
  }

  /** Its part in a pool, as far as it knows. */
  public PoolMembership part() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.part(looking);
    }
  }

  /**
   * Who uses what is on this node alone, as far as it knows: the owner, who would lose it if the
   * node stopped now. Empty if there is no owner, or other nodes have live copies of all.
   */
  public String userOfLastCopy() {
    String owner = tenants.owner();
    if (owner.isEmpty()) {
      return "";
    }
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.isLastCopy(looking) ? owner : "";
    }
  }

  /** Its number in a pool with several copies; 0 elsewhere. */
  public int number() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.number(looking);
    }
  }

  /** Nanoseconds since the owner was heard of; 0 if nobody is attached. */
  public long ownerSilentNanos() {
    return tenants.silentNanos();
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
    return tenants.epoch();
  }

  /** Whether a compute node is attached. */
  public boolean isOwned() {
    return tenants.isOwned();
  }

  /** Status of the node: lines of {@code key=value}. */
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

  /** How far a compute node has loaded the pool from the log; empty if none is at it. */
  private String poolLoading() {
    String progress = log == null ? null : log.loading();
    return progress == null ? "" : progress;
  }

  /** Puts what whoever wants to attach has to know before: the answer to HEADER. */
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

  /** What compute nodes that share the pool agree on; empty if that is nothing, or not here. */
  byte[] configuration() {
    try (Channel looking = memory.openChannel(NodeReport.CONFIGURATION_STAGING_BYTES)) {
      return NodeReport.configuration(looking, bytes());
    }
  }

  /** Membership of the node in a pool, in one line; empty if it has nothing of one. */
  private String contents() {
    try (Channel looking = memory.openChannel(NodeReport.STAGING_BYTES)) {
      return NodeReport.describe(looking);
    }
  }

  /**
   * Waits until it has been closed by another thread.
   *
   * @throws IllegalStateException if it ends although nobody has closed it
   */
  public void awaitClose() throws InterruptedException {
    acceptorThread.join();
    if (!closed.get()) {
      throw new IllegalStateException("the thread that accepts connections has ended");
    }
    awaitEnded();
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
   * for the next. Whoever calls it beside another waits for that one.
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

  /** Also if interrupted: the process may end when this returns. */
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
