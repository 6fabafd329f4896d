package org.nelumbo.simulation.replication;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.AgreementReply;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.agreement.Decision;
import org.nelumbo.dm.agreement.HeapStore;
import org.nelumbo.dm.agreement.PaxosAcceptor;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.ReplicationStatus;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.dm.replication.membership.ViewAgreement;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.dm.replication.view.FreshHeader;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.PoolConfiguration;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.fabric.ClientCards;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.FaultHooks;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimLink;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.fabric.VerbObserver;
import org.nelumbo.simulation.fault.LaggingNode;
import org.nelumbo.simulation.message.SimReply;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * Memory nodes of a world that keep copies of each other, stop and restart, empty or with memory: a
 * simulated fabric for each life of each node. Each compute node has its own link to each of them,
 * which may be cut. A memory node serves one compute node, and switches to another one after it has
 * not received a verb for the lease.
 */
public final class SimReplicas implements SimPool {
  private static final ReplicatedFabric.Options OPTIONS =
      ReplicatedFabric.Options.DEFAULT
          .withReconnectNanos(500_000)
          .withWindowBytes(16 << 10)
          .withStripes(1 << 12);

  private static final int REPLY_ROUND_TRIPS = 6;
  private static final int ENTERS_MAX = 200;
  private static final long ENTER_NANOS = 100_000;

  /** Reported silence of closed connections: longer than any lease. */
  private static final long GONE_NANOS = 1L << 50;

  /** Maximum time without failures until all memory nodes are filled. */
  private static final long WHOLE_NANOS = 500_000_000;

  /** Timeout of decisions, longer than links are cut. */
  private static final long DECISION_NANOS = 10_000_000;

  private final SimWorld world;
  private final FabricModel model;
  private final long nodeBytes;
  private final SimMemory memory;
  private final ReplicatedFabric.Options options;
  private final ClientCards clientCards;
  private final long leaseNanos;

  /**
   * Time that the fence of a sharing compute node waits; 0: a fenced one reaches no live memory
   * node.
   */
  private final long cutOffNanos;

  private final Life[] lives;
  private final LaggingNode[] lags;

  private final List<Set<Long>> intentBlocks = new ArrayList<>();

  private final Map<SimNode, SimLink[]> links = new HashMap<>();
  private final List<SimFabric> all = new ArrayList<>();
  private final List<Owner> owners = new ArrayList<>();
  private final Map<Fabric, SimNode> fabrics = new HashMap<>();
  private final List<Connection> connections = new ArrayList<>();
  private NewLinks newLinks = client -> {};
  private VerbObserver observer;

  /** Null if memory nodes keep no logs. */
  private Logs logs;

  /** Promises of memory nodes with logs, in all their lives. */
  private final HeapStore[] votes;

  /** Last times at which compute nodes were active, for those that were queried. */
  private final Map<SimNode, Long> heard = new HashMap<>();

  private long epoch;

  /** The logs that the memory nodes keep on disks. */
  public interface Logs {
    /**
     * Opens a compute node's connection to the log of a node.
     *
     * @param isAlone whether the node serves only this compute node from now on
     * @param isFenced returns true if the node executes none of its requests any more
     * @param isGone returns true if the node does not reply to it any more
     */
    PoolLog open(int node, boolean isAlone, BooleanSupplier isFenced, BooleanSupplier isGone);

    /** Ends a connection; after the return none of its requests is executed. */
    void end(int node, PoolLog way);

    /** Returns the id of the pool whose log a node has. */
    long id(int node);
  }

  /** A listener for each new compute node. */
  @FunctionalInterface
  interface NewLinks {
    void made(SimNode client);
  }

  private static final class Life {
    final SimFabric fabric;
    boolean stopped;

    /** Number of stops so far. */
    int stops;

    /** True if a compute node has connected since the node became reachable. */
    boolean connected;

    /** Number of attachments so far. */
    long attached;

    /** The compute node it serves; null if there is no connection. */
    SimNode owner;

    /** Incarnation of the owner in the agreement of the memory nodes. */
    long incarnation;

    final PaxosAcceptor acceptor;

    /** Tenants that may not connect again. */
    final Set<Long> fenced = new HashSet<>();

    Life(SimFabric fabric, AcceptorId id, HeapStore votes) {
      this.fabric = fabric;
      this.acceptor = new PaxosAcceptor(id, votes);
    }

    /** Handles a request as an acceptor; fences a compute node that no longer owns the pool. */
    AgreementReply reply(AgreementRequest request) {
      long before = acceptor.state().decidedNumber();
      AgreementReply reply = acceptor.reply(request);
      Decision now = acceptor.state().decided();
      if (now != null && now.number() > before && owner != null) {
        fence(PoolConfiguration.decode(now.content()).owner().incarnation());
      }
      return reply;
    }

    private void fence(long decided) {
      if (decided != incarnation) {
        fabric.fence();
        owner = null;
      }
    }
  }

  private record Owner(SimNode node, ReplicatedFabric fabric) {}

  /** Creates memory nodes that serve the compute node that connected last. */
  SimReplicas(SimWorld world, FabricModel model, int nodes, long nodeBytes, SimMemory memory) {
    this(world, model, nodes, nodeBytes, memory, OPTIONS, 0, 0);
  }

  /** Creates the memory nodes of a plan, each with room for {@code logicalBytes} of every copy. */
  public static SimReplicas of(
      SimWorld world,
      FabricModel model,
      int nodes,
      long logicalBytes,
      SimMemory memory,
      ReplicaPlan plan) {
    return new SimReplicas(
        world,
        model,
        nodes,
        NodeHeaderLayout.LENGTH + plan.copies() * logicalBytes,
        memory,
        OPTIONS.withWanted(WantedPool.of(plan.copies(), plan.virtualNodes())),
        plan.lease(),
        plan.cutsSharers() ? plan.lease() : 0);
  }

  private SimReplicas(
      SimWorld world,
      FabricModel model,
      int nodes,
      long nodeBytes,
      SimMemory memory,
      ReplicatedFabric.Options options,
      long leaseNanos,
      long cutOffNanos) {
    this.world = world;
    this.model = model;
    this.nodeBytes = nodeBytes;
    this.memory = memory;
    this.options = options;
    this.clientCards = new ClientCards(model);
    this.leaseNanos = leaseNanos;
    this.cutOffNanos = cutOffNanos;
    this.lives = new Life[nodes];
    for (int node = 0; node < nodes; node++) {
      intentBlocks.add(new HashSet<>());
    }
    this.lags = new LaggingNode[nodes];
    this.votes = new HeapStore[nodes];
    for (int node = 0; node < nodes; node++) {
      lags[node] = new LaggingNode(world, world.random("lag of mn" + node));
      begin(node);
    }
  }

  private void begin(int node) {
    begin(node, newFabric(node));
    renew(node);
  }

  private SimFabric newFabric(int node) {
    String name = "mn" + node + " life " + all.size();
    SimFabric fabric = new SimFabric(world, model, 1, nodeBytes, memory, name, clientCards);
    observe(fabric, node);
    return fabric;
  }

  private void begin(int node, SimFabric fabric) {
    fabric.setFaults(lags[node]);
    boolean isRemembered = logs != null && votes[node] != null;
    votes[node] = isRemembered ? votes[node] : new HeapStore();
    long incarnation = logs == null ? world.now() << 8 | all.size() : node + 1;
    lives[node] = new Life(fabric, new AcceptorId(node, incarnation), votes[node]);
    all.add(fabric);
  }

  /** Another process that has the node's memory does the same. */
  private void renew(int node) {
    long address = PoolAddress.of(0, NodeHeaderLayout.INCARNATION_OFFSET);
    lives[node].fabric.poke(address, world.now() << 8 | all.size());
  }

  /** Makes the memory nodes respond without the delays of slow ones. */
  public void makeSteady() {
    for (LaggingNode lag : lags) {
      lag.makeSteady();
    }
  }

  /** Makes the nodes keep logs, and remember their promises to each other. */
  public void setLogs(Logs kept) {
    logs = kept;
    Arrays.fill(votes, null);
  }

  @Override
  public SimWorld world() {
    return world;
  }

  @Override
  public FabricModel model() {
    return model;
  }

  @Override
  public int nodeCount() {
    return lives.length;
  }

  boolean isStopped(int node) {
    return lives[node].stopped;
  }

  /** Returns true if a compute node has connected to this life of the node, and the node is up. */
  boolean isSettled(int node) {
    return !lives[node].stopped && lives[node].connected;
  }

  /** Returns true if all memory nodes are up, and live for the latest compute node. */
  boolean isWhole() {
    boolean settled = !owners.isEmpty();
    for (int node = 0; node < lives.length; node++) {
      settled &= isSettled(node);
    }
    if (!settled) {
      return false;
    }
    return Long.bitCount(liveForLast()) == lives.length;
  }

  private long liveForLast() {
    ReplicatedFabric last = owners.getLast().fabric();
    return last.tenant() == 0 ? last.liveNodes() : liveNodes();
  }

  /**
   * Waits until all memory nodes are live for the owner of the pool, or for all that share it;
   * called by a simulated thread.
   *
   * @throws Violation if that takes too long
   */
  public void awaitWhole() {
    long since = world.now();
    while (Long.bitCount(liveForLast()) < lives.length) {
      if (world.now() - since > WHOLE_NANOS) {
        throw new Violation("a memory node is not filled live=" + NodeBits.toString(liveForLast()));
      }
      world.sleepUntil(world.now() + ENTER_NANOS);
    }
  }

  /** Returns the number of lives of all nodes so far. */
  int lives() {
    return all.size();
  }

  /** Opens a channel to a node's memory, bypassing the pool. */
  Channel openChannel(int node, int stagingBytes) {
    return lives[node].fabric.attach().openChannel(stagingBytes);
  }

  /** Reads a word of a node's memory, bypassing the network. */
  long peek(int node, long offset) {
    return lives[node].fabric.peek(PoolAddress.of(0, offset));
  }

  /**
   * Returns the addresses of blocks of intents in a node's memory, including those before it lost
   * its memory: a fill from another copy may restore the old words there.
   */
  Set<Long> intentBlocks(int node) {
    for (int entry = 0; entry < NodeHeaderLayout.INTENT_ENTRIES; entry++) {
      long block =
          peek(
              node,
              NodeHeaderLayout.INTENTS_OFFSET
                  + (long) entry * NodeHeaderLayout.INTENT_ENTRY_LENGTH
                  + Long.BYTES);
      if (block != 0) {
        intentBlocks.get(node).add(block);
      }
    }
    return intentBlocks.get(node);
  }

  /** Stops a node; its memory is unreachable. */
  void stop(int node) {
    intentBlocks(node);
    lives[node].stopped = true;
    lives[node].stops++;
    lives[node].fabric.stopNode(0);
  }

  /** Restarts a node with empty memory. */
  public void restart(int node) {
    if (logs != null) {
      lives[node].fabric.releaseNodes(); // limits the memory of many lives
    }
    begin(node);
  }

  /**
   * Restarts a node as another process, which finds the memory left by its predecessor. Called by a
   * task of that process, which is unreachable before the return.
   */
  public void restartWithLeft(int node, SimNode process) {
    SimFabric fabric = newFabric(node);
    fabric.inherit(lives[node].fabric);
    try (Channel channel = fabric.attach().openChannel(NodeHeaderLayout.LENGTH)) {
      FreshHeader.write(channel, nodeBytes, process.environment().randomLong());
    }
    begin(node, fabric);
  }

  /** Makes a node reachable again, with its memory. */
  void comeBack(int node) {
    lives[node].stopped = false;
    lives[node].connected = false;
    lives[node].fabric.restartNode(0);
  }

  /** Restarts a node as another process with the memory of its predecessor, in its old state. */
  void comeBackAnew(int node) {
    comeBack(node);
    lives[node].fenced.clear();
    renew(node);
  }

  /** Returns the compute nodes that have attached, in that order. */
  List<SimNode> clients() {
    return owners.stream().map(Owner::node).distinct().toList();
  }

  /**
   * Returns the active compute nodes that share the pool, if all of them reach all memory nodes.
   */
  List<SimNode> unharmedSharers() {
    List<SimNode> sharers =
        fabrics.entrySet().stream()
            .filter(each -> !((ReplicatedFabric) each.getKey()).replicationStatus().lost())
            .map(Map.Entry::getValue)
            .filter(this::isAtWork)
            .sorted(Comparator.comparing(SimNode::name))
            .toList();
    boolean areUnharmed =
        liveNodes() == NodeBits.all(lives.length)
            && sharers.stream()
                .flatMap(each -> Arrays.stream(links(each)))
                .allMatch(SimLink::isWhole);
    return areUnharmed ? sharers : List.of();
  }

  /** Returns true if each compute node that shares the pool can lose one more memory node. */
  public boolean canSharersSpare(int spared) {
    for (Map.Entry<Fabric, SimNode> each : fabrics.entrySet()) {
      ReplicatedFabric fabric = (ReplicatedFabric) each.getKey();
      if (sharesPool(each.getValue(), fabric)
          && !isMajorityLeft(each.getValue(), fabric.liveNodes(), spared)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the memory nodes that are live for all compute nodes that share the pool, as a bit set.
   */
  public long liveNodes() {
    long live = NodeBits.all(lives.length);
    for (Map.Entry<Fabric, SimNode> each : fabrics.entrySet()) {
      ReplicatedFabric fabric = (ReplicatedFabric) each.getKey();
      if (sharesPool(each.getValue(), fabric)) {
        live &= fabric.liveNodes();
      }
    }
    return live;
  }

  /** Returns true if a compute node has neither lost the pool, nor failed, nor left in order. */
  private boolean sharesPool(SimNode client, ReplicatedFabric fabric) {
    return !fabric.replicationStatus().lost() && isAtWork(client) && hasConnection(client);
  }

  private boolean hasConnection(SimNode client) {
    return connections.stream()
        .anyMatch(
            each -> each.client == client && !each.cut[0] && !SimFabric.isFenced(each.fabric));
  }

  void setNewLinks(NewLinks told) {
    newLinks = told;
  }

  SimLink[] links(SimNode client) {
    SimLink[] known = links.get(client);
    if (known == null) {
      known = new SimLink[lives.length];
      Arrays.setAll(known, node -> new SimLink());
      links.put(client, known);
      newLinks.made(client);
    }
    return known;
  }

  @Override
  public void setFaults(FaultHooks points) {
    for (LaggingNode lag : lags) {
      lag.setNext(points);
    }
  }

  /** Stops a thread; some of its verbs in flight still land. */
  @Override
  public void stop(SimTask task) {
    all.forEach(life -> life.stop(task));
  }

  @Override
  public void stopSharp(SimTask task) {
    all.forEach(life -> life.stopSharp(task));
  }

  @Override
  public void stopNode(int node) {
    if (!lives[node].stopped) {
      stop(node);
    }
  }

  @Override
  public void restartNode(int node) {
    if (lives[node].stopped) {
      comeBack(node);
    }
  }

  @Override
  public void observe(VerbObserver newObserver) {
    observer = newObserver;
    for (int node = 0; node < lives.length; node++) {
      observe(lives[node].fabric, node);
    }
  }

  private void observe(SimFabric fabric, int node) {
    VerbObserver all = observer;
    if (all != null) {
      fabric.observe((task, _, kind, bytes, site) -> all.posted(task, node, kind, bytes, site));
    }
  }

  @Override
  public double busyNanos(int node) {
    return lives[node].fabric.busyNanos(0);
  }

  @Override
  public long verbs() {
    return all.stream().mapToLong(SimFabric::verbs).sum();
  }

  @Override
  public long flushes() {
    return all.stream().mapToLong(SimFabric::flushes).sum();
  }

  @Override
  public boolean canPeek() {
    return false;
  }

  @Override
  public long peek(long address) {
    throw new UnsupportedOperationException("the engine decides which copy is correct");
  }

  @Override
  public SimTask userOf(Channel channel) {
    return null;
  }

  @Override
  public void release() {
    all.forEach(SimFabric::release);
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public Fabric attach(SimNode client) {
    return owners.isEmpty() ? takeOver(client) : enter(client);
  }

  private Fabric enter(SimNode client) {
    for (int attempt = 0; ; attempt++) {
      try {
        return tryToEnter(client);
      } catch (FabricException e) {
        if (attempt == ENTERS_MAX) {
          throw e;
        }
        world.sleepUntil(world.now() + ENTER_NANOS);
      }
    }
  }

  private Fabric tryToEnter(SimNode client) {
    if (connections.stream().noneMatch(each -> each.client != client && isTenant(each))) {
      throw new FabricException(0, "no compute node has opened the pool", null);
    }
    long self = client.environment().randomLong();
    ReplicatedFabric fabric =
        ReplicatedFabric.enter(
            client.environment(),
            connectors(client, self, node -> enter(client, self, node)),
            options.withAgreement(agreement(client, self)));
    fabrics.put(fabric, client);
    return fabric;
  }

  private boolean isTenant(Connection each) {
    return each.life == lives[each.node] && !each.cut[0] && !each.life.fenced.contains(each.self);
  }

  private NodeConnection enter(SimNode client, long self, int node) {
    Life life = lives[node];
    SimLink link = links(client)[node];
    world.sleepUntil(world.now() + model.roundTrip());
    if (life.stopped || !link.isWhole()) {
      throw new FabricException(node, "the memory node cannot be reached", null);
    }
    return connection(client, self, node, life, life.fabric.attach(link), -1);
  }

  private Connection connection(
      SimNode client, long self, int node, Life life, Fabric fabric, long attachedEpoch) {
    boolean[] cut = new boolean[1];
    int stops = life.stops;
    PoolLog log =
        logs == null
            ? null
            : logs.open(
                node,
                attachedEpoch >= 0,
                () -> SimFabric.isFenced(fabric),
                () -> cut[0] || life.stops != stops || SimFabric.isFenced(fabric));
    long logId = logs == null ? 0 : logs.id(node);
    Connection made =
        new Connection(
            this,
            client,
            self,
            node,
            life,
            stops,
            fabric,
            attachedEpoch,
            cut,
            new SimReadLease(world, client.environment(), cutOffNanos),
            log,
            logId);
    connections.add(made);
    return made;
  }

  /** Fences a compute node at one memory node after the other. */
  @Override
  public void fence(Fabric attachment) {
    SimNode client = fabrics.get(attachment);
    List<Connection> dead = connections.stream().filter(each -> each.client == client).toList();
    dead.forEach(SimReplicas::fence);
  }

  /**
   * Fences a compute node. Where links of sharing compute nodes are cut, this includes only the
   * memory nodes in the view of the other one; a memory node outside of the view may still serve
   * the fenced one.
   */
  @Override
  public void fence(Fabric by, Fabric attachment) {
    SimNode client = fabrics.get(attachment);
    List<Connection> dead = connections.stream().filter(each -> each.client == client).toList();
    for (Connection each : dead) {
      if (awaitLink((ReplicatedFabric) by, each.node)) {
        fence(each);
      }
    }
  }

  private boolean awaitLink(ReplicatedFabric by, int node) {
    SimLink link = links(fabrics.get(by))[node];
    while (!link.isWhole() && NodeBits.has(by.liveNodes(), node)) {
      world.sleepUntil(world.now() + ENTER_NANOS);
    }
    return link.isWhole() && (cutOffNanos == 0 || isInView(by, node));
  }

  private static boolean isInView(ReplicatedFabric by, int node) {
    return by.replicationStatus().nodes().get(node).state() != ReplicationStatus.State.OUT;
  }

  /** The failed compute node may have relied on a response until its read lease ends. */
  private static void fence(Connection dead) {
    dead.life.fenced.add(dead.self);
    dead.revoke();
    dead.readLease.awaitEnd();
  }

  @Override
  public boolean isConnected(Fabric attachment) {
    SimNode client = fabrics.get(attachment);
    return connections.stream().anyMatch(each -> each.client == client && !each.cut[0])
        && !isFenced(attachment);
  }

  /** Returns true if a reachable memory node has fenced a compute node. */
  public boolean isFenced(Fabric attachment) {
    SimNode client = fabrics.get(attachment);
    return connections.stream().anyMatch(each -> each.client == client && each.isFencedWhereLive());
  }

  @Override
  public Fabric takeOver(SimNode client) {
    epoch++;
    ReplicatedFabric fabric = open(client, options);
    owners.add(new Owner(client, fabric));
    fabrics.put(fabric, client);
    return fabric;
  }

  /** Attaches a compute node with other options. */
  ReplicatedFabric open(SimNode client, ReplicatedFabric.Options how) {
    long self = client.environment().randomLong();
    return ReplicatedFabric.open(
        client.environment(),
        connectors(client, self, node -> connect(client, self, node)),
        how.withAgreement(agreement(client, self)));
  }

  private boolean isAtWork(SimNode client) {
    return world.tasks().stream().anyMatch(task -> task.node() == client && task.isAlive());
  }

  /**
   * Returns true if a compute node can lose one more memory node and still reach more than half of
   * them.
   */
  boolean canSpare(SimNode client, int spared) {
    long live = -1;
    for (Owner owner : owners) {
      live = owner.node() == client ? owner.fabric().liveNodes() : live;
    }
    return isMajorityLeft(client, live, spared);
  }

  private boolean isIntact(SimNode client, int node) {
    return connections.stream()
        .anyMatch(
            each ->
                each.client == client && each.life == lives[node] && each.stops == each.life.stops);
  }

  private boolean isMajorityLeft(SimNode client, long live, int spared) {
    int left = 0;
    for (int node = 0; node < lives.length; node++) {
      boolean there =
          node != spared
              && !lives[node].stopped
              && NodeBits.has(live, node)
              && isIntact(client, node)
              && links(client)[node].isWhole();
      left += there ? 1 : 0;
    }
    return 2 * left > lives.length;
  }

  /** Handles a cut link: a memory node may be left out, and get other blocks of intents. */
  void linkWasCut() {
    for (int node = 0; node < lives.length; node++) {
      intentBlocks(node);
    }
  }

  private List<NodeConnection.Connector> connectors(
      SimNode client, long self, IntFunction<NodeConnection> how) {
    return IntStream.range(0, lives.length)
        .mapToObj(node -> connector(how, () -> rejoin(client, self, node), node))
        .toList();
  }

  /** Requests in flight on the old connections have no effect. */
  private NodeConnection rejoin(SimNode client, long self, int node) {
    Life life = lives[node];
    SimLink link = links(client)[node];
    world.sleepUntil(world.now() + model.roundTrip());
    if (life.stopped || !link.isWhole()) {
      throw new FabricException(node, "the memory node cannot be reached", null);
    }
    if (life.fenced.contains(self)) {
      throw new FabricException(node, "the memory node has fenced it", null, true);
    }
    connections.stream()
        .filter(each -> each.life == life && each.self == self)
        .toList()
        .forEach(Connection::end);
    life.connected = true;
    return connection(client, self, node, life, life.fabric.attach(link), -1);
  }

  private ViewAgreement.Options agreement(SimNode client, long self) {
    SimRandom random = world.random("votes of " + client.name() + " " + self);
    return new ViewAgreement.Options(
        (node, request) -> ask(client, node, request, random),
        0,
        self,
        client.name(),
        REPLY_ROUND_TRIPS * model.roundTrip() + model.timeout(),
        DECISION_NANOS);
  }

  /** Request and reply have random delays, and are lost if the link is cut. */
  private AcceptorNetwork.Pending ask(
      SimNode client, int node, AgreementRequest request, SimRandom random) {
    SimReply reply = new SimReply();
    SimLink link = links(client)[node];
    if (link.carriesRequests()) {
      world.at(world.now() + way(random), () -> reply(link, node, request, reply, random));
    }
    return reply;
  }

  private void reply(
      SimLink link, int node, AgreementRequest request, SimReply pending, SimRandom random) {
    AgreementReply reply = lives[node].stopped ? null : lives[node].reply(request);
    if (link.carriesReplies()) {
      world.at(
          world.now() + way(random),
          () -> {
            if (reply == null) {
              pending.fail();
            } else {
              pending.come(reply);
            }
          });
    }
  }

  private long way(SimRandom random) {
    return 1 + model.roundTrip() / 2 + random.nextLong(model.roundTrip() + 1);
  }

  private static NodeConnection.Connector connector(
      IntFunction<NodeConnection> how, Supplier<NodeConnection> rejoining, int node) {
    return new NodeConnection.Connector() {
      @Override
      public NodeConnection connect() {
        return how.apply(node);
      }

      @Override
      public NodeConnection rejoin() {
        return rejoining.get();
      }

      @Override
      public String name() {
        return "mn" + node;
      }
    };
  }

  private NodeConnection connect(SimNode client, long self, int node) {
    Life life = lives[node];
    SimLink link = links(client)[node];
    if (!link.isWhole()) {
      world.sleepUntil(world.now() + model.timeout());
      throw new FabricException(node, "the memory node cannot be reached", null);
    }
    boolean served = life.owner != null && life.owner != client && !life.stopped;
    if (served && world.now() - life.fabric.heard(0) < leaseNanos) {
      throw new PoolInUseException(
          "it is in use by " + life.owner.name(), life.owner.name(), false);
    }
    Fabric fabric = life.fabric.takeOver(link);
    life.connected = true;
    life.owner = client;
    life.incarnation = self;
    return connection(client, self, node, life, fabric, ++life.attached);
  }

  private boolean executesFrames() {
    return model.wholeFrames();
  }

  private String replacing(SimNode client, int node, Life life) {
    boolean asked = life == lives[node] && !life.stopped && links(client)[node].isWhole();
    world.sleepUntil(world.now() + model.roundTrip());
    return asked && life.owner != null && life.owner != client ? life.owner.name() : "";
  }

  private long silentNanos(SimNode client) {
    if (isAtWork(client) && client.pausedUntil() <= world.now()) {
      heard.put(client, world.now());
    }
    heard.putIfAbsent(client, world.now());
    return world.now() - heard.get(client);
  }

  private void ask(Connection asking) {
    world.sleepUntil(world.now() + model.roundTrip());
    if (!links(asking.client)[asking.node].isWhole()) {
      world.sleepUntil(world.now() + model.timeout());
      throw new FabricException(asking.node, "no response was received", null);
    }
    boolean isOver = SimFabric.isFenced(asking.fabric);
    if (asking.cut[0] || asking.life.stopped || isOver) {
      boolean isRevoked = asking.life.fenced.contains(asking.self);
      throw new FabricException(asking.node, "the memory node cannot be reached", null, isRevoked);
    }
  }

  /**
   * Returns the compute nodes that share a memory node; of several connections the last one counts.
   */
  List<PoolTenant> tenants(Connection asking) {
    ask(asking);
    Map<Long, Connection> there = new LinkedHashMap<>();
    for (Connection each : connections) {
      if (each.life == asking.life && !SimFabric.isFenced(each.fabric)) {
        there.put(each.self, each);
      }
    }
    return there.values().stream()
        .map(
            each ->
                new PoolTenant(
                    each.self,
                    each.client.name(),
                    each.cut[0] ? GONE_NANOS : silentNanos(each.client),
                    !each.cut[0]))
        .toList();
  }

  /** Fences a compute node at one memory node. */
  void fence(Connection asking, long tenant) {
    ask(asking);
    asking.life.fenced.add(tenant);
    connections.stream()
        .filter(each -> each.life == asking.life && each.self == tenant)
        .toList()
        .forEach(SimReplicas::fence);
  }

  /** Ends the connections of a compute node to one memory node. */
  void expel(Connection asking, long tenant) {
    ask(asking);
    connections.stream()
        .filter(each -> each.life == asking.life && each.self == tenant)
        .toList()
        .forEach(Connection::end);
  }

  /** A connection to one life of a node. */
  record Connection(
      SimReplicas nodes,
      SimNode client,
      long self,
      int node,
      Life life,
      int stops,
      Fabric fabric,
      long epoch,
      boolean[] cut,
      SimReadLease readLease,
      PoolLog log,
      long logId)
      implements NodeConnection {
    /** After the return none of the compute node's requests is executed. */
    private void revoke() {
      life.fabric.fence(fabric);
      endLog();
    }

    /** The compute node may reconnect, unlike after {@link #revoke}. */
    private void end() {
      life.fabric.end(fabric);
      endLog();
    }

    private void endLog() {
      if (log != null) {
        nodes.logs.end(node, log);
      }
    }

    private boolean isFencedWhereLive() {
      return !life.stopped && life.fenced.contains(self);
    }

    @Override
    public Channel openChannel(MemorySegment staging) {
      if (cut[0]) {
        throw new FabricException(node, "the connection was cut", null);
      }
      return new StagedChannel(
          fabric.openChannel(Math.toIntExact(staging.byteSize())), staging, readLease);
    }

    @Override
    public boolean isReadLeaseHeld(long now) {
      return !cut[0] && readLease.isHeld(now);
    }

    @Override
    public void renewReadLease() {
      MemorySegment staging = Arena.ofAuto().allocate(Long.BYTES);
      try (Channel channel = openChannel(staging)) {
        channel.read(0, 0, Long.BYTES);
        channel.flush();
      }
    }

    @Override
    public long nodeBytes() {
      return fabric.nodeBytes(0);
    }

    @Override
    public boolean isRemote() {
      return fabric.isRemote();
    }

    @Override
    public boolean executesFrames() {
      return nodes.executesFrames();
    }

    @Override
    public SharedPool sharing() {
      return new SimTenancy(nodes, this);
    }

    @Override
    public String replacedBy(FabricException why) {
      return nodes.replacing(client, node, life);
    }

    /**
     * Closes the connection. Pending operations of its channels fail, unless they were done before.
     */
    @Override
    public void close() {
      if (!cut[0]) {
        cut[0] = true;
        SimFabric.cutOff(fabric);
        if (life.owner == client && life.attached == epoch) {
          life.owner = null;
        }
      }
    }
  }
}
