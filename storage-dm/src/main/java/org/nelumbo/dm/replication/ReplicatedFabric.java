package org.nelumbo.dm.replication;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CopiesCheck;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NetworkTraffic;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.ReplicationStatus;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.replication.intent.FlushCompletion;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.membership.AttachQuorum;
import org.nelumbo.dm.replication.membership.NodeProbe;
import org.nelumbo.dm.replication.membership.Reconnector;
import org.nelumbo.dm.replication.membership.ViewAgreement;
import org.nelumbo.dm.replication.membership.ViewChanger;
import org.nelumbo.dm.replication.resync.ReplicaReconciler;
import org.nelumbo.dm.replication.resync.ReplicaResync;
import org.nelumbo.dm.replication.resync.ReplicaScrub;
import org.nelumbo.dm.replication.resync.WriterHold;
import org.nelumbo.dm.replication.verbs.HeldStripes;
import org.nelumbo.dm.replication.verbs.ReplicatedChannel;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.verbs.StripeLocks;
import org.nelumbo.dm.replication.verbs.ViewGate;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillStep;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fabric of logical memory nodes, each of which is kept on several memory nodes. A flush succeeds
 * as long as every logical node has a live copy; when the last copy of one has failed the pool is
 * lost to this fabric, and all flushes fail.
 *
 * <p>What a flush returns is on all live copies: its WRITEs, CAS and FAA, and what its READs saw.
 */
public final class ReplicatedFabric implements Fabric {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedFabric.class);
  private static final int VIEW_CHANGER = 1;

  private static final int TAKEOVERS_MAX = 10;
  private static final long ENTER_NANOS = 1_000_000L;

  /** Who enters does not wait for longer: nobody may be there any more to put a view in force. */
  private static final long IN_FORCE_NANOS = 10_000_000_000L;

  private static final String ABANDONED =
      "it has to be filled anew: a compute node was fenced that may have written to it";

  private final Environment environment;
  private final Options options;
  private final CurrentView currentView;
  private final Placement placement;
  private final List<NodeConnection.Connector> connectors;
  private final boolean remote;
  private final long poolId;
  private final StripeLocks stripeLocks;

  private final ViewAgreement agreement;

  /** Null: memory nodes keep none. */
  private final ReplicatedLog log;

  private final ViewChanger viewChanger;
  private final ReplicaScrub scrub;
  private final Sharing sharing = new Sharing();
  private final ViewGate gate;

  /** For what is appended to logs. */
  private final ViewGate logGate;

  /** By what others that share the pool know this compute node; 0 as long as it has it alone. */
  private volatile long tenant;

  /** Null: memory nodes do not know who shares them. */
  private final ReplicatedSharing replicatedSharing;

  /** Tenants whose flushes are being ended here. */
  private final Set<Long> completing = ConcurrentHashMap.newKeySet();

  private final AtomicInteger lastHolder = new AtomicInteger(VIEW_CHANGER);
  private final AtomicInteger open = new AtomicInteger(1);
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Settings of replication.
   *
   * @param copies of everything; 0: as many as it has, three (or one a node) in a new pool
   * @param reconnectNanos time between two tries to reach a node that is away
   * @param windowBytes copied at a time, a power of two
   * @param stripes words of the table of stripe locks, a power of two
   * @param force attach also if too few nodes are as they were for what they have to be the latest
   *     state: with those there are that knew the latest, whatever is lost
   * @param virtualNodes of a new pool, logical nodes for each memory node; 0: so many that the work
   *     of a dead one goes to all others, if they do not get too small by that
   * @param expectation whether there has to be a pool, and which
   * @param agreement how memory nodes are asked to agree on views; has to be set
   * @param peers how messages go to other compute nodes; null: they do not
   */
  public record Options(
      int copies,
      long reconnectNanos,
      int windowBytes,
      int stripes,
      boolean force,
      int virtualNodes,
      PoolExpectation expectation,
      ViewAgreement.Options agreement,
      PeerOpener peers) {
    /** As many copies as there are, a try each second, windows of 64 KiB. */
    public static final Options DEFAULT =
        new Options(
            0, 1_000_000_000L, 64 << 10, 1 << 16, false, 0, PoolExpectation.ANY, null, null);

    public Options withCopies(int value) {
      return with(draft -> draft.copies = value);
    }

    public Options withReconnectNanos(long value) {
      return with(draft -> draft.reconnectNanos = value);
    }

    public Options withWindowBytes(int value) {
      return with(draft -> draft.windowBytes = value);
    }

    public Options withStripes(int value) {
      return with(draft -> draft.stripes = value);
    }

    public Options withVirtualNodes(int value) {
      return with(draft -> draft.virtualNodes = value);
    }

    public Options withForce(boolean value) {
      return with(draft -> draft.force = value);
    }

    public Options withExpectation(PoolExpectation value) {
      return with(draft -> draft.expectation = value);
    }

    public Options withAgreement(ViewAgreement.Options value) {
      return with(draft -> draft.agreement = value);
    }

    public Options withPeers(PeerOpener value) {
      return with(draft -> draft.peers = value);
    }

    private Options with(Consumer<Draft> change) {
      Draft draft = new Draft(this);
      change.accept(draft);
      return draft.options();
    }

    /** The settings while one of them is being changed. */
    private static final class Draft {
      int copies;
      long reconnectNanos;
      int windowBytes;
      int stripes;
      boolean force;
      int virtualNodes;
      PoolExpectation expectation;
      ViewAgreement.Options agreement;
      PeerOpener peers;

      Draft(Options of) {
        copies = of.copies;
        reconnectNanos = of.reconnectNanos;
        windowBytes = of.windowBytes;
        stripes = of.stripes;
        force = of.force;
        virtualNodes = of.virtualNodes;
        expectation = of.expectation;
        agreement = of.agreement;
        peers = of.peers;
      }

      Options options() {
        return new Options(
            copies,
            reconnectNanos,
            windowBytes,
            stripes,
            force,
            virtualNodes,
            expectation,
            agreement,
            peers);
      }
    }
  }

  /**
   * Attaches to a pool, or makes one if all nodes are empty.
   *
   * @param nodes the way to each, in order
   * @throws PoolOpenException if that cannot be: the message says which nodes are missing or do not
   *     fit, and what to do
   * @throws FabricException if a node fails meanwhile
   */
  public static ReplicatedFabric open(
      Environment environment, List<NodeConnection.Connector> nodes, Options options) {
    return open(environment, nodes, options, true);
  }

  /**
   * Enters a pool beside the compute nodes that share it.
   *
   * @param nodes the way to each, in order: to enter it, not to take it over
   * @throws PoolOpenException if that cannot be
   * @throws FabricException if a node fails meanwhile
   */
  public static ReplicatedFabric enter(
      Environment environment, List<NodeConnection.Connector> nodes, Options options) {
    ReplicatedFabric fabric = open(environment, nodes, options, false);
    try {
      fabric.enterIntents();
      fabric.learnStep();
      fabric.beginTogether();
      return fabric;
    } catch (RuntimeException | Error e) {
      fabric.close();
      throw e;
    }
  }

  private static ReplicatedFabric open(
      Environment environment,
      List<NodeConnection.Connector> nodes,
      Options options,
      boolean isAlone) {
    NodeProbe nodeProbe = NodeProbe.connectAll(nodes);
    try {
      return new ReplicatedFabric(environment, nodes, options, nodeProbe, isAlone);
    } catch (RuntimeException | Error e) {
      nodeProbe.closeAll();
      throw e;
    }
  }

  private ReplicatedFabric(
      Environment environment,
      List<NodeConnection.Connector> connectors,
      Options options,
      NodeProbe nodeProbe,
      boolean isAlone) {
    this.environment = environment;
    this.options = options;
    this.connectors = connectors;
    this.stripeLocks = new StripeLocks(options.stripes());
    if (!isAlone) {
      sharing.fixView();
      sharing.begin();
    }
    AttachQuorum attachQuorum =
        new AttachQuorum(nodeProbe, options.copies(), options.virtualNodes(), options.force());
    this.agreement = new ViewAgreement(environment, options.agreement(), addresses(connectors));
    boolean isNew = attachQuorum.isNew(agreement);
    if (isNew) {
      options.expectation().checkAbsent(place(connectors));
    }
    boolean isDurable = attachQuorum.isDurable();
    this.poolId = isNew ? newPoolId(nodeProbe) : attachQuorum.poolId();
    View first = isAlone ? first(isNew, attachQuorum, nodeProbe) : shared(isNew, attachQuorum);
    this.placement = first.placement();
    this.remote = first.connection(first.primary(0)).isRemote();
    MemorySegment staging = Arena.ofAuto().allocate(windowsTogether() * options.windowBytes(), 64);
    NodeChannels channels = new NodeChannels(placement.nodes(), staging);
    HeaderWriter headers = new HeaderWriter(channels, poolId, nodeProbe.incarnations());
    View view =
        isNew || attachQuorum.isCold() || !isAlone
            ? formatIf(isNew || attachQuorum.isCold(), first, headers, nodeProbe)
            : attach(first, headers, channels, nodeProbe, attachQuorum.isForced());
    if (view.filling() >= 0) {
      headers.setIncarnation(
          view.filling(), agreement.known().nodes().get(view.filling()).incarnation());
    }
    this.currentView = new CurrentView(environment, view, options.windowBytes());
    this.gate = new ViewGate(environment, currentView);
    this.logGate = new ViewGate(environment, currentView);
    this.log =
        isDurable
            ? new ReplicatedLog(
                environment, currentView, options.reconnectNanos(), isNew, sharing, logGate)
            : null;
    this.replicatedSharing = knowsSharers(view) ? newSharing() : null;
    if (!isAlone) {
      agreement.joinOwner();
    }
    HeldStripes heldStripes = new HeldStripes(stripeLocks, environment, VIEW_CHANGER);
    ReplicaResync replicaResync =
        new ReplicaResync(
            environment, currentView, stripesHold(heldStripes), channels, options.windowBytes());
    this.scrub =
        new ReplicaScrub(
            environment, currentView, stripesHold(heldStripes), channels, options.windowBytes());
    if (!isAlone) {
      scrub.end();
      nodeProbe.abandonOthers(view);
    }
    Reconnector reconnector = newReconnector(view, nodeProbe, isAlone);
    this.viewChanger =
        new ViewChanger(
            environment,
            currentView,
            connectors,
            channels,
            headers,
            replicaResync,
            scrub,
            log,
            reconnector,
            options.windowBytes(),
            agreement,
            sharing,
            gate,
            logGate,
            replicatedSharing);
    viewChanger.start();
  }

  /** A pool in logs has the id that they have. */
  private long newPoolId(NodeProbe nodeProbe) {
    long logId = nodeProbe.connection(0).logId();
    return logId == 0 ? environment.randomLong() : logId;
  }

  /** How those who write are kept away who have the pool alone. */
  private WriterHold stripesHold(HeldStripes heldStripes) {
    return new WriterHold() {
      @Override
      public boolean tryHold(View view, int node, int slot, int logical, long from, int length) {
        return heldStripes.tryLockRange(logical, from, length, currentView::hasSuspects);
      }

      @Override
      public void release() {
        heldStripes.unlock();
      }
    };
  }

  private static boolean knowsSharers(View view) {
    return view.connection(view.primary(0)).sharing() != null;
  }

  private ReplicatedSharing newSharing() {
    return new ReplicatedSharing(this, currentView, sharing, options.peers());
  }

  private static List<String> addresses(List<NodeConnection.Connector> connectors) {
    return connectors.stream().map(NodeConnection.Connector::address).toList();
  }

  /** The view to begin with. Once this returns nobody else can put one in force. */
  private View first(boolean isNew, AttachQuorum attachQuorum, NodeProbe nodeProbe) {
    agreement.inquire();
    if (isNew) {
      View first = attachQuorum.newView(agreement);
      if (attachQuorum.isDurable()) {
        ReplicatedLog.unify(first); // who is live has the pool's log, whatever is stopped
      }
      agreement.create(first, poolId, nodeProbe.incarnations());
      return first;
    }
    for (int attempt = 0; attempt < TAKEOVERS_MAX; attempt++) {
      attachQuorum.learn(agreement);
      View next = attachQuorum.nextView();
      if (attachQuorum.isForced()) {
        agreement.force(next, poolId, nodeProbe.incarnations());
        return next;
      }
      if (agreement.isUndecided()) {
        agreement.create(next, poolId, nodeProbe.incarnations());
        return next;
      }
      if (agreement.takeOver(next, poolId, nodeProbe.incarnations(), agreement.number())) {
        return next;
      }
    }
    throw new PoolOpenException(
        "another compute node changes the pool at the same time: try again");
  }

  private static String place(List<NodeConnection.Connector> connectors) {
    return "memory nodes "
        + connectors.stream()
            .map(NodeConnection.Connector::address)
            .collect(Collectors.joining(", "));
  }

  /** Windows that are in the staging buffer at a time. */
  private long windowsTogether() {
    return Math.max(placement.copies(), ReplicaResync.WINDOWS_TOGETHER);
  }

  /** A reconnector that has the nodes that were reached but are not live. */
  private Reconnector newReconnector(View view, NodeProbe nodeProbe, boolean isAlone) {
    Reconnector reconnector =
        new Reconnector(
            environment,
            currentView,
            connectors,
            options.reconnectNanos(),
            sharing,
            this::reserveIntents);
    for (int node = 0; node < placement.nodes(); node++) {
      if (isAlone && !view.isLive(node) && nodeProbe.connection(node) != null) {
        reconnector.setReached(node, nodeProbe.connection(node));
      } else if (!view.isLive(node)) {
        RuntimeException failure = nodeProbe.failure(node);
        currentView.health().setFailure(node, failure == null ? null : failure.getMessage());
      }
    }
    return reconnector;
  }

  /** Makes a view known that comes next; returns the nodes that failed, as bits. */
  private long writeView(View view, HeaderWriter headers) {
    try {
      if (!agreement.decide(view, poolId, headers.incarnations())) {
        throw new PoolOpenException(
            "the pool has just been taken over by " + agreement.known().owner().name());
      }
    } catch (NoMajorityException e) {
      throw new FabricException(0, "memory nodes failed during the attach: " + e.getMessage(), e);
    }
    return headers.writeView(view);
  }

  private static View formatIf(
      boolean isNew, View view, HeaderWriter headers, NodeProbe nodeProbe) {
    return isNew ? format(view, headers, nodeProbe) : view;
  }

  /** The view in force of those who share the pool. */
  private View shared(boolean isNew, AttachQuorum attachQuorum) {
    if (isNew) {
      throw new PoolOpenException("there is no pool on the memory nodes");
    }
    agreement.inquire();
    attachQuorum.learn(agreement);
    View view = attachQuorum.sharedView();
    int filling = agreement.known().filling();
    return filling < 0 ? view : withFilling(view, filling);
  }

  /** The view with a node that is being filled. */
  private View withFilling(View view, int node) {
    NodeConnection connection = connectors.get(node).rejoin();
    boolean isThere = false;
    try (Channel channel =
        connection.openChannel(Arena.ofAuto().allocate(NodeHeaderLayout.LENGTH, 64))) {
      long incarnation = agreement.known().nodes().get(node).incarnation();
      isThere = NodeHeader.read(channel).incarnation() == incarnation;
    } finally {
      if (!isThere) {
        connection.close();
      }
    }
    if (!isThere) {
      throw new FabricException(node, "a memory node that is being filled has failed", null);
    }
    return view.with(view.number(), node, connection, new ResyncProgress(view.placement().slots()));
  }

  /** Goes in at the step that all are at, before it writes or appends anything. */
  private void learnStep() {
    View view = currentView.current();
    if (view.filling() < 0 && log == null) {
      return;
    }
    try (IntentTable table = new IntentTable(environment, view)) {
      FillStep step = table.fillStep();
      for (int attempt = 0; step.number() == 0 && isBeingPublished(view, table); attempt++) {
        environment.backoff(attempt);
        step = table.fillStep();
      }
      if (view.filling() >= 0) {
        gate.setStep(step);
      }
      logGate.setStep(step);
    }
  }

  /**
   * Whether the first step is to come.
   *
   * @throws FabricException if nobody is going to publish it: who was about to is dead
   */
  private boolean isBeingPublished(View view, IntentTable table) {
    checkLatest(view);
    long filler = table.filler();
    boolean isThere = filler != 0 && table.tenants().contains(filler);
    if (isThere ? isDead(view, filler) : view.filling() >= 0) {
      throw new FabricException(0, "who fills a memory node has died", null);
    }
    return isThere;
  }

  /** Makes sure that there is room for intents at a node, once that is live. */
  private void reserveIntents(int node) {
    try (IntentTable table = new IntentTable(environment, currentView.current());
        Channel channel = openChannel(Long.BYTES)) {
      table.reserve(sharing.intents(), node, channel);
    }
  }

  /**
   * Lets other compute nodes {@linkplain #enter enter}: flushes go the way from now on that they
   * can go beside those of others, which takes more round trips, and the view stays as it is. Once
   * this returns none goes the other way any more.
   *
   * @throws PoolOpenException if the pool has no room for what sharing needs
   */
  public void share() {
    if (sharing.isShared()) {
      return;
    }
    enterAtFixedView();
    HeldStripes all = new HeldStripes(stripeLocks, environment, lastHolder.incrementAndGet());
    all.tryLockRange(0, 0, Integer.MAX_VALUE, currentView::isLost);
    all.unlock();
    if (log != null) {
      log.share();
    }
    beginTogether();
  }

  /**
   * Begins shared flushes, and answers at once a compute node that fills a memory node: it blocks
   * writers.
   */
  private void beginTogether() {
    sharing.beginTogether();
    if (currentView.last().filling() >= 0) {
      viewChanger.wake();
    }
  }

  /** If a memory node fails meanwhile, that is done once more without it. */
  private void enterAtFixedView() {
    boolean isDone = false;
    while (!isDone) {
      viewChanger.fixView();
      try {
        enterIntents();
        isDone = sharing.begin();
      } catch (FabricException e) {
        currentView.current();
        LOG.debug("the pool is shared without a memory node: {}", e.getMessage());
        sharing.releaseView();
      }
    }
  }

  private void enterIntents() {
    long drawn = replicatedSharing == null ? environment.randomLong() : replicatedSharing.tenant();
    tenant = drawn == 0 ? 1 : drawn;
    View view = currentView.current();
    try (IntentTable table = new IntentTable(environment, view);
        Channel channel = openChannel(Long.BYTES)) {
      table.leave(tenant);
      awaitInForce(view, table);
      boolean isDone = false;
      try {
        int entry = table.take(tenant);
        checkLatest(view);
        sharing.noteIn(table.enter(tenant, entry, channel));
        checkLatest(view);
        isDone = true;
      } finally {
        if (!isDone) {
          leave(table);
        }
      }
    }
  }

  /** It may have an entry though it was not told so. */
  private void leave(IntentTable table) {
    try {
      table.leave(tenant);
    } catch (FabricException e) {
      LOG.debug("others find that this compute node is gone: {}", e.getMessage());
    }
  }

  /**
   * Waits until all that share the pool have come to a view that was decided. Perhaps nobody has
   * told them of it: who has had it decided may have died, or been fenced, just then. The dead are
   * not waited for: if somebody is left their entries are gone at the next attempt, and else
   * whoever finds that nobody has the pool attaches, and repairs it. Others that enter are nobody
   * who is left, and look alike.
   *
   * <p>No entry is taken before: the first memory node may be one that becomes live with this view,
   * where those who share the pool have their entries to write yet.
   */
  private void awaitInForce(View view, IntentTable table) {
    long start = environment.nanoTime();
    while (isAnyBehind(view, table)) {
      checkLatest(view);
      tell(view);
      if (environment.nanoTime() - start > IN_FORCE_NANOS) {
        throw new FabricException(0, "those who share the pool do not come to its view", null);
      }
      environment.parkNanos(ENTER_NANOS);
    }
    checkLatest(view);
  }

  private boolean isAnyBehind(View view, IntentTable table) {
    List<IntentTable.Sharer> known = table.sharers();
    Set<Long> behind = known.isEmpty() ? table.tenantsElsewhere() : new HashSet<>();
    if (isDeserted(known, behind)) {
      throw new FabricException(0, "nobody has the pool any more who has come to its view", null);
    }
    for (IntentTable.Sharer each : known) {
      if (each.repeated() < view.number()) {
        behind.add(each.tenant());
      }
    }
    List<Long> dead = behind.stream().filter(each -> isDead(view, each)).toList();
    if (!dead.isEmpty() && !isAnyThere(view, known)) {
      throw new FabricException(0, "who shared the pool is dead, and not removed yet", null);
    }
    return dead.size() < behind.size();
  }

  /**
   * Returns true if this compute node enters, and none of those who shared the pool has carried out
   * the change to its view. A memory node may be live by that change whose counters are behind:
   * only who attaches repairs them.
   */
  private boolean isDeserted(List<IntentTable.Sharer> known, Set<Long> elsewhere) {
    return sharing.isShared() && known.isEmpty() && elsewhere.isEmpty();
  }

  /**
   * Whether one that is alive has come to a view: then all have left those before, and it removes
   * the dead.
   */
  private boolean isAnyThere(View view, List<IntentTable.Sharer> known) {
    return known.stream()
        .anyMatch(each -> each.repeated() >= view.number() && !isDead(view, each.tenant()));
  }

  /** Whether one of those who share the pool is dead, if it is shared. */
  private boolean isDead(View view, long other) {
    return replicatedSharing != null && replicatedSharing.isDead(view, other);
  }

  /** Writes a view to the headers of its nodes, unless they know it. */
  private void tell(View view) {
    MemorySegment staging = Arena.ofAuto().allocate(NodeHeaderLayout.LENGTH, 64);
    try (NodeChannels channels = new NodeChannels(placement.nodes(), staging)) {
      long[] incarnations = agreement.known().record().incarnations();
      HeaderWriter headers = new HeaderWriter(channels, poolId, incarnations);
      if (headers.knownView(view) < view.number()) {
        LOG.info("view {} was decided, and nobody was told: this is done now", view.number());
        headers.writeView(view);
      }
    }
  }

  /** Nobody waits for one that enters: it finds out by itself that the view is changed. */
  private void checkLatest(View view) {
    if (sharing.isShared() && agreement.inquire().view() != view.number()) {
      throw new FabricException(0, "memory nodes have failed while it was entered", null);
    }
  }

  /** By what others that share the pool know this compute node; 0 as long as it has it alone. */
  public long tenant() {
    return tenant;
  }

  /** The tenants that have an entry for their intents at the memory nodes of a view. */
  List<Long> entered(View view) {
    try (IntentTable table = new IntentTable(environment, view)) {
      return table.tenants();
    }
  }

  /**
   * Ends the flushes that another compute node has left when it died: it is fenced at every memory
   * node. Until then neither its locks nor its latches are anybody's.
   *
   * @param isFenced whether one who had begun to do this is dead, and fenced by now
   */
  public void complete(long dead, LongPredicate isFenced) {
    abandonFilling();
    boolean isDone = false;
    for (int attempt = 0; !isDone; attempt++) {
      ViewGate.Pass pass = gate.enter();
      View view = null;
      try {
        view = currentView.current();
        isDone = complete(view, dead, isFenced);
      } catch (FabricException e) {
        report(view, e);
      } finally {
        gate.leave(pass);
      }
      if (!isDone) {
        environment.backoff(attempt);
      }
    }
  }

  /**
   * Has a node left out that is being filled: a compute node was fenced that may have written to it
   * what is nowhere else.
   */
  private void abandonFilling() {
    View view = currentView.current();
    int node = view.filling();
    for (int attempt = 0; node >= 0 && isFilling(node, view.connection(node)); attempt++) {
      currentView.suspect(node, view.connection(node), new FabricException(node, ABANDONED, null));
      environment.backoff(attempt);
    }
  }

  private boolean isFilling(int node, NodeConnection connection) {
    View now = currentView.current();
    return now.filling() == node && now.connection(node) == connection;
  }

  /** A memory node has failed: it is left out, or the pool is lost. */
  void report(View view, FabricException why) {
    if (view == null || why.isRevoked() || why.node() < 0 || view.connection(why.node()) == null) {
      throw why;
    }
    currentView.suspect(why.node(), view.connection(why.node()), why);
  }

  /**
   * Ends the flushes of a dead compute node in a view, which may not be in force yet.
   *
   * @return false if the view is changed, or another thread is about to do it: who is the second
   *     one would write what was written over since
   */
  boolean complete(View view, long dead, LongPredicate isFenced) {
    if (!completing.add(dead)) {
      return false;
    }
    try (FlushCompletion completion = new FlushCompletion(environment, view, tenant)) {
      return completion.complete(
          dead, isFenced, () -> gate.isClosedFor(view) && currentView.last() == view);
    } finally {
      completing.remove(dead);
    }
  }

  @Override
  public CopiesCheck copiesCheck() {
    return scrub;
  }

  @Override
  public SharedPool sharing() {
    return options.peers() == null ? null : replicatedSharing;
  }

  private static View format(View view, HeaderWriter headers, NodeProbe nodeProbe) {
    for (int node = 0; node < view.placement().nodes(); node++) {
      boolean isClear =
          !view.isLive(node)
              || nodeProbe.header(node).leftBytes() == 0
              || headers.clear(view, node);
      if (view.isLive(node) && !(isClear && headers.format(view, node))) {
        throw new FabricException(node, "a memory node failed while the pool was made", null);
      }
    }
    return view;
  }

  /** Returns the view that is in force. */
  private View attach(
      View first,
      HeaderWriter headers,
      NodeChannels channels,
      NodeProbe nodeProbe,
      boolean isForced) {
    boolean inUse = isForced;
    boolean isOld = false;
    for (int node = 0; node < placement.nodes(); node++) {
      inUse |= first.isLive(node) && nodeProbe.header(node).inUse();
      isOld |= first.isLive(node) && nodeProbe.header(node).isOld();
    }
    for (int node = 0; node < placement.nodes(); node++) {
      if (first.isLive(node)
          && nodeProbe.header(node).wasShared()
          && !headers.forgetIntents(first, node)) {
        throw new FabricException(node, "a memory node failed during the attach", null);
      }
    }
    View view = inUse ? reconciled(first, headers, channels) : first;
    long failed =
        (isOld ? headers.writeFormat(view) : 0)
            | headers.writeInUse(view, true)
            | (view == first ? headers.writeView(view) : writeView(view, headers));
    if (failed != 0) {
      throw new FabricException(
          Long.numberOfTrailingZeros(failed), "a memory node failed during the attach", null);
    }
    if (view.liveNodes() != NodeBits.all(placement.nodes())) {
      LOG.warn(
          "attached without all memory nodes: view {} of nodes {}",
          view.number(),
          NodeBits.toString(view.liveNodes()));
    }
    return view;
  }

  private View reconciled(View first, HeaderWriter headers, NodeChannels channels) {
    // The number of the first view is taken, if it is decided already.
    View from = first.with(first.number() + 1);
    return new ReplicaReconciler(
            from, channels, headers, view -> writeView(view, headers), options.windowBytes())
        .reconcile();
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    int count;
    do {
      count = open.get();
      if (closed.get() || count == 0) {
        throw new FabricException("this process has let go of the pool", null);
      }
    } while (!open.compareAndSet(count, count + 1));
    int number = lastHolder.incrementAndGet();
    HeldStripes heldStripes = new HeldStripes(stripeLocks, environment, number);
    int preferredNode = Math.floorMod(number, placement.nodes());
    return ReplicatedChannel.open(
        environment,
        currentView,
        heldStripes,
        sharing,
        gate,
        stagingBytes,
        preferredNode,
        this::channelClosed);
  }

  private void channelClosed() {
    if (open.decrementAndGet() == 0) {
      try {
        leaveIntents();
      } finally {
        viewChanger.close();
      }
    }
  }

  private void leaveIntents() {
    if (tenant != 0 && !currentView.isLost()) {
      try (IntentTable table = new IntentTable(environment, currentView.last())) {
        leave(table);
      }
    }
  }

  @Override
  public int nodeCount() {
    return placement.logicals();
  }

  @Override
  public int physicalNodeCount() {
    return placement.nodes();
  }

  @Override
  public long nodeBytes(int node) {
    if (node < 0 || node >= placement.logicals()) {
      throw new IllegalArgumentException("no such memory node node=" + node);
    }
    return placement.slotBytes();
  }

  /** Address of the memory node that has the primary copy; empty if no copy is left. */
  @Override
  public String nodeName(int node) {
    View view = currentView.last();
    return view.primaryCopy(node) < 0 ? "" : connectors.get(view.primary(node)).address();
  }

  @Override
  public boolean isRemote() {
    return remote;
  }

  /** Traffic of the connections that are open now. */
  @Override
  public NetworkTraffic traffic() {
    View view = currentView.last();
    NetworkTraffic sum = NetworkTraffic.NONE;
    for (int node = 0; node < placement.nodes(); node++) {
      if (view.connection(node) != null) {
        NetworkTraffic more = view.connection(node).traffic();
        sum =
            new NetworkTraffic(
                sum.frames() + more.frames(),
                sum.bytesSent() + more.bytesSent(),
                sum.bytesReceived() + more.bytesReceived());
      }
    }
    return sum;
  }

  @Override
  public long poolId() {
    return poolId;
  }

  @Override
  public PoolLog log() {
    return log;
  }

  @Override
  public int liveCopies() {
    return currentView.last().liveCopies();
  }

  @Override
  public ReplicationStatus replicationStatus() {
    return currentView
        .health()
        .describe(currentView::last, currentView::isLost, currentView::missed, connectors);
  }

  /** Copies of everything, if all nodes are live. */
  public int copies() {
    return placement.copies();
  }

  /** Number of the view in force; it grows with each change of the live nodes. */
  public long view() {
    return currentView.last().number();
  }

  /** The live nodes, a bit each. */
  public long liveNodes() {
    return currentView.last().liveNodes();
  }

  @Override
  public void lose(Throwable why) {
    currentView.loseByError();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      channelClosed();
    }
  }
}
