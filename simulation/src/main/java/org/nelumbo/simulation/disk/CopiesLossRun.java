package org.nelumbo.simulation.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.simulation.cluster.SimMembers;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A run of a pool with three copies on memory nodes that keep logs, with one seed. Compute nodes
 * have the pool one after the other, or several at once, and fail at any moment. One memory node,
 * or all at once, lose power at any write, force or change of names: while they start, are used,
 * filled, given a log, or make checkpoints. Failed memory nodes restart with their logs sooner or
 * later. Others are unreachable for a moment, and return with their memory, too.
 *
 * <p>All actions and reads of clients form one history: an acknowledged commit is there, no client
 * has seen a lost write, and a write that a client has seen undone does not reappear.
 */
public final class CopiesLossRun extends LossRun {
  private static final String BACKUPS = "backups";
  private static final int BACKUPS_OF_A_LIFE = 3;
  private static final long BACKUP_NANOS = 8_000_000;

  /** Ratio of a log's disk steps to those of its archive. */
  private static final int ARCHIVE_PART = 8;

  private static final int TOGETHER = 3;

  private static final int LIVES = 3;
  private static final int COMPUTE_NODES = 4;
  private static final int CLIENTS = 3;
  private static final int TRANSACTIONS = 8;
  private static final int STEPS_OF_A_LIFE = 400;
  private static final long AWAY_NANOS = 6_000_000;
  private static final long DEATH_NANOS = 12_000_000;
  private static final int BLIPS = 2;
  private static final long BLIP_NANOS = 3_000_000;
  private static final long ENTER_NANOS = 2_000_000;
  private static final int DIGESTS = 3;
  private static final long DIGEST_NANOS = 4_000_000;
  private static final long RETRY_NANOS = 500_000;
  private static final int RETRIES = 400;
  private static final long LIMIT_NANOS = 12_000_000_000L;
  private static final long STEPS = 40_000_000;

  /** Maximum number of compute nodes that have the pool at once. */
  private final int together;

  private final boolean hasArchives;

  private interface DiskWork {
    void run() throws IOException;
  }

  private final DurableNodes nodes;
  private final SimRandom blips;
  private final LivesWorkload workload;

  /** Null without backups. It loses no data. */
  private final SimDisk backupDisk;

  private final SimRandom backupRandom;

  // State of the current life.
  private boolean isOver;
  private int computeNodesLeft;
  private int livesBegun;

  /** Generation of each node; it changes when another restart is scheduled. */
  private final int[] lives = new int[DurableNodes.NODES];

  private final List<ComputeNode> present = new ArrayList<>();

  /** Null while the pool is exclusive. */
  private SimMembers members;

  private int computeNodes;

  private CopiesLossRun(
      SimWorld world, Totals totals, int together, boolean leavesMemory, boolean hasArchives) {
    super(world, totals, "power", LIMIT_NANOS, STEPS);
    this.together = together;
    this.hasArchives = hasArchives;
    this.nodes = new DurableNodes(world, leavesMemory, hasArchives);
    this.blips = world.random("blips");
    this.workload = new LivesWorkload(world, together * CLIENTS, TRANSACTIONS);
    this.backupDisk = hasArchives ? new SimDisk(world, BACKUPS) : null;
    this.backupRandom = hasArchives ? world.random(BACKUPS) : null;
  }

  /** Creates a run with one compute node at a time. */
  public static CopiesLossRun alone(SimWorld world, Totals totals) {
    return new CopiesLossRun(world, totals, 1, false, false);
  }

  /**
   * Creates a run with one compute node at a time, in which failed memory nodes may leave their
   * memory to the next process.
   */
  public static CopiesLossRun leavingMemory(SimWorld world, Totals totals) {
    return new CopiesLossRun(world, totals, 1, true, false);
  }

  /** Creates a run with several compute nodes at once. */
  public static CopiesLossRun several(SimWorld world, Totals totals) {
    return new CopiesLossRun(world, totals, TOGETHER, false, false);
  }

  /** Creates a run with several compute nodes at once, archives and backups. */
  public static CopiesLossRun archiving(SimWorld world, Totals totals) {
    return new CopiesLossRun(world, totals, TOGETHER, false, true);
  }

  @Override
  protected void run() {
    for (int life = 0; life < LIVES; life++) {
      isOver = false;
      livesBegun++;
      computeNodesLeft = COMPUTE_NODES;
      if (hasArchives && life > 0 && backupRandom.nextInt(2) == 0) {
        int away = backupRandom.nextInt(DurableNodes.NODES);
        onDisks(() -> nodes.keepOlder(away));
      }
      for (int node = 0; node < DurableNodes.NODES; node++) {
        arm(node);
        start(node);
      }
      startComputeNode();
      for (int i = 0; i < BLIPS; i++) {
        int ofLife = livesBegun;
        world.at(world.now() + 1 + blips.nextLong(DEATH_NANOS), () -> blip(ofLife));
      }
      world.run();
    }
    isOver = false;
    livesBegun++;
    computeNodesLeft = 0;
    for (int node = 0; node < DurableNodes.NODES; node++) {
      nodes.disarm(node);
      start(node);
    }
    world.spawn(world.addNode("last"), "check", this::check);
    world.run();
    nodes.replicas().release();
  }

  @Override
  protected void end() {
    count("transactions", workload.acknowledged());
  }

  private void arm(int node) {
    boolean fails = random.nextInt(5) == 0;
    long steps = 1L + random.nextInt(STEPS_OF_A_LIFE);
    boolean isAll = random.nextInt(3) == 0;
    boolean isArchive = hasArchives && backupRandom.nextInt(4) == 0;
    SimDisk first = isArchive ? nodes.archive(node) : nodes.disk(node);
    first.arm(
        fails ? -1 : isArchive ? 1 + steps / ARCHIVE_PART : steps,
        fails ? steps : -1,
        () -> {
          if (hasArchives) {
            (isArchive ? nodes.disk(node) : nodes.archive(node)).cut();
          }
          cut(isAll ? -1 : node, node);
        });
  }

  private void cut(int only, int first) {
    if (only >= 0) {
      nodes.die(only, null);
      comeBack(only);
      return;
    }
    for (int node = 0; node < DurableNodes.NODES; node++) {
      if (node != first) {
        nodes.cut(node);
      }
    }
    endLife(null);
  }

  private void comeBack(int node) {
    int life = ++lives[node];
    later(AWAY_NANOS, () -> comeBack(node, life));
  }

  private void comeBack(int node, int life) {
    if (!isOver && life == lives[node]) {
      nodes.disarm(node);
      start(node);
    }
  }

  private void blip(int ofLife) {
    int node = blips.nextInt(DurableNodes.NODES);
    int life = lives[node];
    if (ofLife == livesBegun && !isOver && nodes.isStarted(node)) {
      nodes.replicas().stopNode(node);
      world.at(world.now() + 1 + blips.nextLong(BLIP_NANOS), () -> endBlip(node, life));
    }
  }

  private void endBlip(int node, int life) {
    if (!isOver && life == lives[node] && nodes.isStarted(node)) {
      nodes.replicas().restartNode(node);
    }
  }

  /** Stops all tasks except one that is about to end. */
  private void endLife(SimTask spared) {
    isOver = true;
    present.clear();
    members = null;
    for (int node = 0; node < DurableNodes.NODES; node++) {
      nodes.die(node, spared);
      nodes.disarm(node);
    }
    world.stopAllBut(spared);
  }

  private void start(int node) {
    lives[node]++;
    world.spawn(nodes.newProcess(node), "start", () -> live(node));
  }

  private void live(int node) {
    try {
      nodes.start(node);
      count("started");
    } catch (RuntimeException e) {
      checkStartFailure(e);
      nodes.die(node, world.current());
      comeBack(node);
      return;
    }
    for (int i = 0; !isOver; i++) {
      boolean isDigested = i < DIGESTS;
      world.sleepUntil(
          world.now() + 1 + (isDigested ? random.nextLong(DIGEST_NANOS) : DIGEST_NANOS));
      if (nodes.hasFailed(node)) {
        nodes.die(node, world.current());
        comeBack(node);
        return;
      }
      if (isDigested) {
        nodes.digest(node);
      }
    }
  }

  private void startComputeNode() {
    if (isOver) {
      return;
    }
    if (computeNodesLeft == 0) {
      endLife(world.current());
      return;
    }
    start(new ComputeNode(0), false);
  }

  private void start(ComputeNode starting, boolean isBesideOthers) {
    computeNodesLeft--;
    present.add(starting);
    world.spawn(
        starting.node,
        "life",
        () -> {
          if (isBesideOthers) {
            starting.join();
          } else {
            starting.work();
          }
        });
    if (random.nextInt(2) == 0) {
      later(DEATH_NANOS, () -> die(starting));
    }
  }

  private void enterAnother() {
    if (!isOver && members != null && !present.isEmpty() && computeNodesLeft > 0) {
      for (int place = 0; place < together; place++) {
        int free = place;
        if (present.stream().noneMatch(each -> each.place == free)) {
          start(new ComputeNode(place), true);
          return;
        }
      }
    }
  }

  /** Stops a compute node; its verbs in flight arrive or not. Another compute node replaces it. */
  private void die(ComputeNode dead) {
    if (!present.contains(dead) || computeNodesLeft == 0) {
      return; // it has ended, or is the last one
    }
    world.tasksOf(dead.node).forEach(nodes.replicas()::stop);
    gone(dead);
  }

  /**
   * The last compute node is followed by a new one. A joining compute node continues even if no
   * other is left.
   */
  private void gone(ComputeNode left) {
    present.remove(left);
    if (present.isEmpty()) {
      members = null;
      startComputeNode();
    } else {
      enterAnother();
    }
  }

  private LocalDatabase open(ComputeNode opening) {
    SimNode node = opening.node;
    for (int attempt = 0; ; attempt++) {
      try {
        LocalDatabase found =
            DatabaseOpener.attach(
                options(),
                node.environment(),
                node.name(),
                "pool",
                opening::takeOver,
                together > 1 ? _ -> opening.firstMember() : null);
        count("opened");
        return found;
      } catch (RuntimeException e) {
        if (attempt == RETRIES || !SchemaSteps.isLoss(e)) {
          throw e;
        }
      }
      world.sleepUntil(world.now() + RETRY_NANOS);
    }
  }

  /**
   * Accepts failures of statements because too many memory nodes have failed, or another compute
   * node has; any other failure is a defect and is rethrown.
   */
  @Override
  void checkFailure(RuntimeException e) {
    boolean isOthersDeath =
        together > 1
            && e instanceof NelumboException known
            && (known.code().isRetryable() || known.code() == ErrorCode.LOCK_NOT_AVAILABLE);
    if (!SchemaSteps.isLoss(e) && !isOthersDeath) {
      throw e;
    }
  }

  private void onDisks(DiskWork work) {
    try {
      work.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compareLogs(ReplicatedFabric fabric) {
    onDisks(() -> nodes.compareLogs(fabric.replicationStatus().lost() ? 0 : fabric.liveNodes()));
  }

  private void check() throws TransactionFailed {
    ComputeNode checking = new ComputeNode(world.current().node());
    LocalDatabase last = open(checking);
    nodes.replicas().awaitWhole();
    compareLogs(checking.fabric);
    workload.check(last);
    if (hasArchives) {
      compareRestored(last);
    }
    last.close();
    endLife(world.current());
  }

  private void compareRestored(LocalDatabase last) {
    backUp(last);
    onDisks(() -> count("compared", nodes.compareRestored(backupDisk)));
  }

  private void backUp(LocalDatabase database) {
    onDisks(() -> nodes.noteIfFirst(backupDisk));
    String isFull = backupRandom.nextInt(3) == 0 ? " FULL" : "";
    execute(database, "BACKUP TO '" + BACKUPS + "'" + isFull);
    count("backups");
  }

  private DatabaseOptions options() {
    return hasArchives
        ? OPTIONS.withDirectories(new SimDirectories(Map.of(BACKUPS, backupDisk)))
        : OPTIONS;
  }

  private final class ComputeNode {
    private final SimNode node;
    private final int place;
    private ReplicatedFabric fabric;
    private FailStopFabric used;
    private LocalDatabase database;

    /** The membership of the pool that it has opened; null if it is exclusive, or joined. */
    private SimMembers own;

    ComputeNode(int place) {
      this.node = world.addNode("cn" + computeNodes++);
      this.place = place;
    }

    ComputeNode(SimNode node) {
      this.node = node;
      this.place = 0;
    }

    private Fabric takeOver() {
      fabric = (ReplicatedFabric) nodes.replicas().takeOver(node);
      used = new FailStopFabric(fabric);
      return used;
    }

    void work() {
      try {
        database = open(this);
        compareLogs(fabric);
        workload.begin(database);
        members = own;
      } catch (RuntimeException e) {
        checkFailure(e);
        gone(this);
        return;
      }
      spawnClients(true);
      if (members != null) {
        for (int i = 1; i < together; i++) {
          later(ENTER_NANOS, CopiesLossRun.this::enterAnother);
        }
      }
    }

    private ClusterMember firstMember() {
      own = new SimMembers(world, nodes.replicas(), workload.cluster());
      ClusterMember self = own.newMember(node, fabric, used);
      own.shareCopies();
      return self;
    }

    /** Joins the other compute nodes. */
    void join() {
      try {
        fabric = (ReplicatedFabric) nodes.replicas().attach(node);
        used = new FailStopFabric(fabric);
        ClusterMember self = members.newMember(node, fabric, used);
        database = DatabaseOpener.join(options(), node.environment(), "pool", used, self);
        count("entered");
      } catch (PoolOpenException e) {
        gone(this);
        return;
      } catch (RuntimeException e) {
        checkFailure(e);
        gone(this);
        return;
      }
      spawnClients(false);
    }

    private void spawnClients(boolean changesSchema) {
      LocalDatabase mine = database;
      Users users = new Users(node, this::leave);
      workload.spawnClients(users, mine, place * CLIENTS, CLIENTS);
      if (changesSchema) {
        workload.spawnSchemaChanges(users, mine);
      }
      if (changesSchema && hasArchives) {
        users.spawn(BACKUPS, () -> backUpSometimes(mine));
      }
    }

    private void backUpSometimes(LocalDatabase mine) {
      for (int i = 0; i < BACKUPS_OF_A_LIFE; i++) {
        world.sleepUntil(world.now() + 1 + backupRandom.nextLong(BACKUP_NANOS));
        backUp(mine);
      }
    }

    private void leave() {
      boolean isLast = present.size() == 1;
      if (members == null) {
        present.remove(this);
      }
      tolerate(
          () -> {
            if (isLast) {
              compareLogs(fabric);
            }
            if (members != null) {
              count("filled", fabric.replicationStatus().filledNodes());
            }
            database.close();
          });
      gone(this);
    }
  }
}
