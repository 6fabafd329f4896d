package org.nelumbo.dm.replication;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.AgreementReply;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.agreement.HeapStore;
import org.nelumbo.dm.agreement.PaxosAcceptor;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.ForwardingNodeMemory;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.rdma.DeviceNodes;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.litmus.InterceptedChannel;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.membership.ViewAgreement;

/**
 * Memory nodes in this JVM that can be killed at any time, even between two verbs of a flush, and
 * restarted with or without their memory. Verbs use queue pairs if a device is configured. The
 * nodes agree on views, together with witnesses that always reply.
 */
public final class FragileNodes implements AutoCloseable {
  private static final long UNCUT = -1;
  private static final long BREAKING = -2;
  private static final long REPLY_NANOS = 1_000_000_000L;
  private static final long DECISION_NANOS = 200_000_000L;

  private final Life[] lives;

  /** Acceptors of the nodes, followed by those of the witnesses. */
  private final PaxosAcceptor[] voters;

  private final long bytes;
  private final AtomicLongArray room;
  private volatile IntConsumer beforeVerb = node -> {};
  private volatile IntConsumer beforeConnect = node -> {};
  private volatile Runnable beforeCall = () -> {};
  private volatile Runnable beforeCut = () -> {};
  private volatile Runnable beforePost = () -> {};
  private volatile IntPredicate loses = node -> false;
  private volatile boolean executesFrames = true;

  /** One incarnation of a memory node. */
  private static final class Life {
    final NodeConnection memory;
    final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    final AtomicLong epoch = new AtomicLong();

    /** Verbs until the connection breaks; negative if it is breaking or no break is pending. */
    final AtomicLong uncut = new AtomicLong(UNCUT);

    volatile boolean dead;
    volatile Connection connected;

    Life(NodeConnection memory) {
      this.memory = memory;
      try (Channel channel = memory.openChannel(staging(Long.BYTES))) {
        channel.writeLong(
            PoolAddress.of(0, NodeHeaderLayout.INCARNATION_OFFSET), new Random().nextLong());
        channel.flush();
      }
    }

    /** Fails if the node is dead; runs before each verb. */
    void live(int node) {
      if (dead || left.decrementAndGet() < 0) {
        dead = true;
        throw new FabricException(node, "the memory node is dead", null);
      }
    }
  }

  /** Starts nodes with empty memory, and as many witnesses; all nodes but one may be killed. */
  public FragileNodes(int count, long bytes) {
    this(count, bytes, count);
  }

  /** Starts nodes with empty memory, and {@code witnesses} witnesses. */
  public FragileNodes(int count, long bytes, int witnesses) {
    this.bytes = bytes;
    voters = new PaxosAcceptor[count + witnesses];
    Arrays.setAll(voters, FragileNodes::newVoter);
    room = new AtomicLongArray(count);
    lives = new Life[count];
    for (int node = 0; node < count; node++) {
      room.set(node, bytes);
      lives[node] = new Life(emptyMemory(node));
    }
  }

  private static PaxosAcceptor newVoter(int node) {
    return new PaxosAcceptor(new AcceptorId(node, new Random().nextLong()), new HeapStore());
  }

  private NodeConnection emptyMemory(int node) {
    NodeMemory memory =
        new ForwardingNodeMemory(LocalMemory.reserve(bytes)) {
          @Override
          public boolean populate(long offset, long length) {
            return offset + length <= room.get(node);
          }
        };
    return DeviceNodes.isWanted()
        ? DeviceNodes.connect(node, memory)
        : new LocalConnection(new LocalFabric(new NodeMemory[] {memory}));
  }

  private static MemorySegment staging(int bytes) {
    return Arena.ofAuto().allocate(bytes, Long.BYTES);
  }

  /** A connection to memory of this process. */
  private record LocalConnection(LocalFabric fabric) implements NodeConnection {
    @Override
    public Channel openChannel(MemorySegment staging) {
      return fabric.openChannel(staging);
    }

    @Override
    public long nodeBytes() {
      return fabric.nodeBytes(0);
    }

    @Override
    public boolean isRemote() {
      return false;
    }

    @Override
    public void close() {
      fabric.close();
    }
  }

  /** Sets the number of bytes that a node can use; the default is all. */
  public void setRoom(int node, long roomBytes) {
    room.set(node, roomBytes);
  }

  /** Attaches a compute node to the pool. */
  public ReplicatedFabric open(Environment environment, ReplicatedFabric.Options options) {
    return ReplicatedFabric.open(environment, connectors(), agreeing(options));
  }

  /** Lets a compute node enter the shared pool. */
  public ReplicatedFabric enter(Environment environment, ReplicatedFabric.Options options) {
    return ReplicatedFabric.enter(environment, connectors(), agreeing(options));
  }

  private ReplicatedFabric.Options agreeing(ReplicatedFabric.Options options) {
    return options.withAgreement(
        new ViewAgreement.Options(
            this::reply,
            voters.length - lives.length,
            new Random().nextLong(),
            "a test",
            REPLY_NANOS,
            DECISION_NANOS));
  }

  private AcceptorNetwork.Pending reply(int node, AgreementRequest request) {
    boolean isDead = node < lives.length && lives[node].dead;
    AgreementReply reply = null;
    if (!isDead) {
      synchronized (voters) {
        reply = voters[node].reply(request);
      }
    }
    return new Answered(reply);
  }

  /** A reply that is available immediately, or null if none arrives. */
  private record Answered(AgreementReply poll) implements AcceptorNetwork.Pending {
    @Override
    public boolean hasFailed() {
      return poll == null;
    }

    @Override
    public void cancel() {}
  }

  /** Clears the votes of all acceptors. */
  public void forgetVotes() {
    synchronized (voters) {
      Arrays.setAll(voters, FragileNodes::newVoter);
    }
  }

  /** Returns connectors to all nodes. */
  public List<NodeConnection.Connector> connectors() {
    return IntStream.range(0, lives.length).mapToObj(this::connector).toList();
  }

  private NodeConnection.Connector connector(int node) {
    return new NodeConnection.Connector() {
      @Override
      public NodeConnection connect() {
        beforeConnect.accept(node);
        Life life = lives[node];
        life.live(node);
        Connection connection =
            new Connection(
                FragileNodes.this, life, node, life.epoch.incrementAndGet(), new AtomicBoolean());
        life.connected = connection;
        return connection;
      }

      @Override
      public String name() {
        return node + " (fragile)";
      }
    };
  }

  /** Kills a node immediately. */
  public void kill(int node) {
    lives[node].dead = true;
  }

  /** Breaks the connection to a node, which stays alive. */
  public void cut(int node) {
    lives[node].connected.close();
  }

  /** Breaks the connection to a node before the given number of further verbs. */
  public void cutAfter(int node, long verbs) {
    lives[node].uncut.set(verbs);
  }

  /** Returns true if a break set by {@link #cutAfter} is still pending. */
  public boolean isCutPending(int node) {
    return lives[node].uncut.get() != UNCUT;
  }

  /**
   * Sets a hook that runs in the thread of the verb just before {@link #cutAfter} breaks a
   * connection.
   */
  public void setBeforeCut(Runnable hook) {
    beforeCut = hook;
  }

  /** Makes all attempts to connect fail, until called with false. */
  public void holdConnects(boolean held) {
    beforeConnect =
        node -> {
          if (held) {
            throw new FabricException(node, "the node cannot be reached", null);
          }
        };
  }

  /** Simulates another owner that has used the node for a short time. */
  public void takeOver(int node) {
    lives[node].epoch.incrementAndGet();
    cut(node);
  }

  /** Kills a node before the given number of further verbs. */
  public void killAfter(int node, long verbs) {
    lives[node].left.set(verbs);
  }

  /**
   * Sets a hook that runs in the thread of the verb, before each verb of any node, with the node
   * number.
   */
  public void setBeforeVerb(IntConsumer hook) {
    beforeVerb = hook;
  }

  /**
   * Sets a hook that runs in the connecting thread before each attempt to connect, with the node
   * number.
   */
  public void setBeforeConnect(IntConsumer hook) {
    beforeConnect = hook;
  }

  /**
   * Sets a hook that runs in the calling thread before each call of a channel, and before each
   * channel is opened.
   */
  public void setBeforeCall(Runnable hook) {
    beforeCall = hook;
  }

  /** Sets a hook that runs in the calling thread before each verb is posted. */
  public void setBeforePost(Runnable hook) {
    beforePost = hook;
  }

  /**
   * Sets a hook that runs in the calling thread before each verb and returns true to lose the verb.
   */
  public void setLoses(IntPredicate hook) {
    loses = hook;
  }

  /** Sets whether nodes execute a flush completely or not at all, even if the sender fails. */
  public void setExecutesFrames(boolean value) {
    executesFrames = value;
  }

  /**
   * Returns the number of verbs and flushes that a node has executed, if {@link #killAfter} was
   * never called.
   */
  public long verbs(int node) {
    return Long.MAX_VALUE - lives[node].left.get();
  }

  /** Restarts a dead node with its old memory. */
  public void restart(int node) {
    lives[node] = new Life(lives[node].memory);
  }

  /** Restarts a dead node with empty memory. */
  public void restartEmpty(int node) {
    restartEmpty(node, Long.MAX_VALUE);
  }

  /** Restarts a node with empty memory, and kills it again after the given number of verbs. */
  public void restartEmpty(int node, long verbs) {
    lives[node].memory.close();
    synchronized (voters) {
      voters[node] = newVoter(node);
    }
    Life next = new Life(emptyMemory(node));
    next.left.set(verbs);
    lives[node] = next;
  }

  /** Opens a channel to the memory of a node, whether it is dead or not. */
  public Channel inspect(int node) {
    return lives[node].memory.openChannel(staging(64 << 10));
  }

  @Override
  public void close() {
    for (Life life : lives) {
      life.memory.close();
    }
  }

  private record Connection(FragileNodes nodes, Life life, int node, long epoch, AtomicBoolean cut)
      implements NodeConnection {
    @Override
    public Channel openChannel(MemorySegment staging) {
      nodes.beforeCall.run();
      try {
        return new FragileChannel(this, life.memory.openChannel(staging));
      } catch (FabricException e) {
        throw new FabricException(node, "the memory is gone", e);
      }
    }

    @Override
    public long nodeBytes() {
      return life.memory.nodeBytes();
    }

    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public boolean executesFrames() {
      return nodes.executesFrames;
    }

    @Override
    public void close() {
      cut.set(true);
    }

    void live() {
      long uncut = life.uncut.get();
      if (!cut.get() && uncut >= 0) {
        countDown(uncut);
      }
      if (cut.get()) {
        throw new FabricException(node, "the connection was cut", null);
      }
      life.live(node);
    }

    private void countDown(long uncut) {
      boolean breaks = uncut == 0;
      if (life.uncut.compareAndSet(uncut, breaks ? BREAKING : uncut - 1) && breaks) {
        nodes.beforeCut.run();
        cut.set(true);
        life.uncut.set(UNCUT);
      }
    }
  }

  /** A channel that executes its verbs at the flush, one by one. */
  private static final class FragileChannel extends InterceptedChannel {
    private final Connection connection;
    private final List<Runnable> posted = new ArrayList<>();

    FragileChannel(Connection connection, Channel channel) {
      super(channel);
      this.connection = connection;
    }

    @Override
    protected void post(long address, Runnable verb) {
      connection.nodes.beforeCall.run();
      connection.nodes.beforePost.run();
      posted.add(verb);
    }

    @Override
    public void start() {
      connection.nodes.beforeCall.run();
    }

    @Override
    public void discard() {
      posted.clear();
    }

    @Override
    public void flush() {
      connection.nodes.beforeCall.run();
      try {
        for (Runnable verb : posted) {
          connection.nodes.beforeVerb.accept(connection.node);
          connection.live();
          if (!connection.nodes.loses.test(connection.node)) {
            verb.run();
          }
        }
        connection.live();
      } finally {
        posted.clear();
        channel.flush(); // verbs before the death of the node are executed
      }
    }
  }
}
