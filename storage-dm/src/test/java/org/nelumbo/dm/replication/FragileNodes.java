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
 * Memory nodes in this JVM that can be killed at any time, also between two verbs of a flush, and
 * started again, with or without their memory. Verbs go by queue pairs where a device is named.
 * They agree on views, with witnesses that always answer.
 */
public final class FragileNodes implements AutoCloseable {
  private static final long UNCUT = -1;
  private static final long BREAKING = -2;
  private static final long ANSWER_NANOS = 1_000_000_000L;
  private static final long DECISION_NANOS = 200_000_000L;

  private final Life[] lives;

  /** Of the nodes, then of the witnesses. */
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

  /** One life of a memory node. */
  private static final class Life {
    final NodeConnection memory;
    final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    final AtomicLong epoch = new AtomicLong();

    /** Verbs until the connection breaks; negative: it is breaking, or none is going to. */
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

    /** Before each verb. */
    void live(int node) {
      if (dead || left.decrementAndGet() < 0) {
        dead = true;
        throw new FabricException(node, "the memory node is dead", null);
      }
    }
  }

  /** Nodes that have been started, with empty memory, of which any may be killed but the last. */
  public FragileNodes(int count, long bytes) {
    this(count, bytes, count);
  }

  /** Nodes that have been started, with empty memory, and so many witnesses. */
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

  /** Memory of this process. */
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

  /** Sets how many bytes of its memory a node can have; all, if it is never called. */
  public void setRoom(int node, long roomBytes) {
    room.set(node, roomBytes);
  }

  /** Attaches a compute node. */
  public ReplicatedFabric open(Environment environment, ReplicatedFabric.Options options) {
    return ReplicatedFabric.open(environment, connectors(), agreeing(options));
  }

  /** Has a compute node enter. */
  public ReplicatedFabric enter(Environment environment, ReplicatedFabric.Options options) {
    return ReplicatedFabric.enter(environment, connectors(), agreeing(options));
  }

  private ReplicatedFabric.Options agreeing(ReplicatedFabric.Options options) {
    return options.withAgreement(
        new ViewAgreement.Options(
            this::answer,
            voters.length - lives.length,
            new Random().nextLong(),
            "a test",
            ANSWER_NANOS,
            DECISION_NANOS));
  }

  private AcceptorNetwork.Pending answer(int node, AgreementRequest request) {
    boolean isDead = node < lives.length && lives[node].dead;
    AgreementReply answer = null;
    if (!isDead) {
      synchronized (voters) {
        answer = voters[node].answer(request);
      }
    }
    return new Answered(answer);
  }

  /** An answer that is there at once; null: none comes. */
  private record Answered(AgreementReply poll) implements AcceptorNetwork.Pending {
    @Override
    public boolean hasFailed() {
      return poll == null;
    }

    @Override
    public void cancel() {}
  }

  /** Nobody knows any more what was decided. */
  public void forgetVotes() {
    synchronized (voters) {
      Arrays.setAll(voters, FragileNodes::newVoter);
    }
  }

  /** The ways to all of them. */
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

  /** Kills a node now. */
  public void kill(int node) {
    lives[node].dead = true;
  }

  /** Breaks the connection to a node that lives on. */
  public void cut(int node) {
    lives[node].connected.close();
  }

  /** Breaks the connection to a node before that many more verbs. */
  public void cutAfter(int node, long verbs) {
    lives[node].uncut.set(verbs);
  }

  /** Whether the connection is still to break. */
  public boolean isCutPending(int node) {
    return lives[node].uncut.get() != UNCUT;
  }

  /** Is run in the verb's thread just before a connection breaks by {@link #cutAfter}. */
  public void setBeforeCut(Runnable hook) {
    beforeCut = hook;
  }

  /** Has all attempts to connect fail, until they are no longer to. */
  public void holdConnects(boolean held) {
    beforeConnect =
        node -> {
          if (held) {
            throw new FabricException(node, "the node cannot be reached", null);
          }
        };
  }

  /** Somebody else has the node for a moment. */
  public void takeOver(int node) {
    lives[node].epoch.incrementAndGet();
    cut(node);
  }

  /** Kills a node before that many more verbs. */
  public void killAfter(int node, long verbs) {
    lives[node].left.set(verbs);
  }

  /** Is run in the verb's thread before each verb of any node, with its number. */
  public void setBeforeVerb(IntConsumer hook) {
    beforeVerb = hook;
  }

  /** Is run in the connecting thread before each attempt to connect, with the node's number. */
  public void setBeforeConnect(IntConsumer hook) {
    beforeConnect = hook;
  }

  /** Is run in the caller's thread before each call of a channel, and before each is opened. */
  public void setBeforeCall(Runnable hook) {
    beforeCall = hook;
  }

  /** Is run in the caller's thread before each verb is posted. */
  public void setBeforePost(Runnable hook) {
    beforePost = hook;
  }

  /** Is asked in the caller's thread, before each verb of a node, whether that is lost. */
  public void setLoses(IntPredicate hook) {
    loses = hook;
  }

  /** Whether a node does all of a flush or nothing, though its sender dies. */
  public void setExecutesFrames(boolean value) {
    executesFrames = value;
  }

  /** Verbs and flushes that a node has done, if {@link #killAfter} was never called. */
  public long verbs(int node) {
    return Long.MAX_VALUE - lives[node].left.get();
  }

  /** Starts a dead node with the memory it had. */
  public void restart(int node) {
    lives[node] = new Life(lives[node].memory);
  }

  /** Starts a dead node with empty memory. */
  public void restartEmpty(int node) {
    restartEmpty(node, Long.MAX_VALUE);
  }

  /** Starts a node again, empty, for a life of so many verbs. */
  public void restartEmpty(int node, long verbs) {
    lives[node].memory.close();
    synchronized (voters) {
      voters[node] = newVoter(node);
    }
    Life next = new Life(emptyMemory(node));
    next.left.set(verbs);
    lives[node] = next;
  }

  /** A channel to a node's memory, whether it is dead or not. */
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

  /** Does its verbs at the flush, one by one. */
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
        channel.flush(); // what came before the node died was done
      }
    }
  }
}
