package org.nelumbo.simulation.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.replication.SharedPoolRun;
import org.nelumbo.simulation.replication.SimReplicas;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A run with appends of several compute nodes to the logs of three memory nodes, with one seed,
 * without an engine above the appends. One memory node at a time loses power, or is unreachable for
 * a moment, and returns with its log. Compute nodes fail, and others join. Transactions have one
 * frame or two; some are aborted after the first.
 *
 * <p>In the end all memory nodes have the same rows in their logs: all rows that were acknowledged.
 * For the last transaction of each failed compute node, the logs must agree with the outcome that
 * its recovery read from them.
 */
public final class SharedAppendsRun extends SharedPoolRun<SharedAppendsRun.Client> {
  private static final int COMPUTE_NODES_MAX = 3;
  private static final int STORE = 7;
  private static final int KEY_BYTES = 2 * Long.BYTES;
  private static final int IMAGE_BYTES = 64;
  private static final long RUN_NANOS = 20_000_000;
  private static final long AWAY_NANOS = 4_000_000;
  private static final long LOOK_NANOS = 100_000;
  private static final long THINK_NANOS = 200_000;
  private static final long LIMIT_NANOS = 1_000_000_000L;
  private static final long STEPS = 20_000_000;

  private final DurableNodes nodes;
  private final boolean isPowerLost;

  /** Rows that must exist, and rows that must not. */
  private final Set<String> told = new HashSet<>();

  private final Set<String> undone = new HashSet<>();
  private final Map<Member, Member> helpers = new HashMap<>();
  private long timestamps;

  public SharedAppendsRun(SimWorld world, Totals totals) {
    super(world, totals, "appends", RUN_NANOS, LIMIT_NANOS, STEPS, 1);
    this.isPowerLost = random.nextInt(3) > 0;
    this.nodes = new DurableNodes(world, false, false);
  }

  @Override
  protected void run() {
    for (int node = 0; node < DurableNodes.NODES; node++) {
      start(node);
    }
    Member first = new Member();
    world.run(first.node, "begin", () -> begin(first));
  }

  @Override
  protected void end() {
    nodes.replicas().release();
  }

  // Memory nodes.

  private void start(int node) {
    world.spawn(nodes.newProcess(node), "start", () -> live(node));
  }

  private void live(int node) {
    try {
      nodes.start(node);
    } catch (PoolOpenException | RedoFailedException e) {
      throw new Violation("memory node=" + node + " does not start: " + e.getMessage());
    }
  }

  /** One node is taken away at a time, while all others are live. */
  private void disturb() {
    while (world.now() < RUN_NANOS) {
      pause(AWAY_NANOS);
      int node = random.nextInt(DurableNodes.NODES);
      if (nodes.isStarted(node) && isWhole() && nodes.replicas().canSharersSpare(node)) {
        count("stops");
        if (isPowerLost && random.nextInt(2) == 0) {
          nodes.disk(node).cut();
          nodes.die(node, world.current());
          pause(AWAY_NANOS);
          start(node);
        } else {
          nodes.replicas().stopNode(node);
          pause(AWAY_NANOS);
          nodes.replicas().restartNode(node);
        }
      }
    }
  }

  private boolean isWhole() {
    return Long.bitCount(nodes.replicas().liveNodes()) == DurableNodes.NODES;
  }

  // Compute nodes.

  private void begin(Member first) {
    ReplicatedFabric fabric = takeOver(first);
    fabric.log().unify();
    makePool(first, fabric);
    int others = random.nextInt(COMPUTE_NODES_MAX);
    for (int i = 0; i < others; i++) {
      enter();
    }
    SimNode fate = world.addNode("fate");
    world.spawn(fate, "fate", this::disturb);
    world.spawn(fate, "judge", this::judge);
  }

  private ReplicatedFabric takeOver(Member first) {
    for (int attempt = 0; ; attempt++) {
      try {
        return (ReplicatedFabric) nodes.replicas().takeOver(first.node);
      } catch (PoolOpenException | FabricException e) {
        if (attempt * LOOK_NANOS > RUN_NANOS) {
          throw e;
        }
      }
      world.sleepUntil(world.now() + LOOK_NANOS);
    }
  }

  @Override
  protected SimReplicas replicas() {
    return nodes.replicas();
  }

  @Override
  protected void beforeJoin() {
    pause(RUN_NANOS / 4);
  }

  @Override
  protected Client newClient(Member member, int index) {
    return new Client(member.fabric, member.number << 4 | index);
  }

  @Override
  protected void runClient(Member member, Client client) {
    use(member, _ -> client.run());
  }

  private boolean isLiving(Member member) {
    return member.fabric != null && !member.isDead;
  }

  /** The other compute nodes may declare the compute node failed and fence it. */
  private void use(Member member, Consumer<ReplicatedFabric> work) {
    try {
      work.accept(member.fabric);
    } catch (FabricException e) {
      if (member.isDead) {
        return;
      }
      if (!replicas().isFenced(member.fabric)) {
        throw e;
      }
      count("fenced");
      member.isDead = true;
      for (SimTask task : world.tasksOf(member.node)) {
        if (task != world.current()) {
          replicas().stop(task);
        }
      }
    }
  }

  private Member living() {
    return members.stream().filter(this::isLiving).findFirst().orElse(null);
  }

  private void judge() {
    while (world.now() < RUN_NANOS || !members.stream().allMatch(Member::isOver)) {
      for (Member dead : List.copyOf(members)) {
        Member former = helpers.get(dead);
        if (dead.isDead && !dead.isRecovered && (former == null || former.isDead)) {
          Member helper = living();
          if (helper == null) {
            return; // no compute node has the pool any more
          }
          helpers.put(dead, helper);
          world.spawn(helper.node, "recovery", () -> use(helper, fabric -> recover(fabric, dead)));
        }
      }
      world.sleepUntil(world.now() + LOOK_NANOS);
    }
    world.sleepUntil(world.now() + 2 * AWAY_NANOS);
    Member last = living();
    if (last != null) {
      world.spawn(last.node, "end", () -> use(last, this::end));
    }
  }

  /** The logs determine whether the last transaction of each client counts. */
  private void recover(ReplicatedFabric fabric, Member dead) {
    fence(fabric, dead);
    for (Client each : dead.clients) {
      boolean isCommitted = each.isUnended && fabric.log().committed(each.transaction) != 0;
      (isCommitted ? told : undone).addAll(each.rows);
    }
    dead.isRecovered = true;
  }

  private void end(ReplicatedFabric fabric) {
    new Client(fabric, 0).transact(); // a write to a node that was away detects it
    nodes.replicas().awaitWhole();
    compare();
    count("compared");
    closeAll();
    for (int node = 0; node < DurableNodes.NODES; node++) {
      nodes.die(node, world.current());
    }
  }

  private void compare() {
    Map<String, Integer> first = null;
    for (int node = 0; node < DurableNodes.NODES; node++) {
      Map<String, Integer> rows = rows(node);
      first = first == null ? rows : first;
      if (!rows.equals(first)) {
        throw new Violation("logs differ node=" + node + DurableNodes.difference(first, rows));
      }
    }
    Set<String> missing = new HashSet<>(told);
    missing.removeAll(first.keySet());
    Set<String> back = new HashSet<>(undone);
    back.retainAll(first.keySet());
    if (!missing.isEmpty() || !back.isEmpty()) {
      throw new Violation("lost rows=" + missing + " undone, but present rows=" + back);
    }
  }

  private Map<String, Integer> rows(int node) {
    try {
      Map<String, Integer> rows = new TreeMap<>(nodes.rowsOf(node));
      rows.keySet().removeIf(name -> !name.startsWith(STORE + ":"));
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A coordinator of a compute node. */
  final class Client implements Runnable {
    private final int owner;
    private final SimRandom mine;
    private final RedoEntry entry = new RedoEntry();
    private final RedoSender sender;
    private long transaction;
    private final List<String> rows = new ArrayList<>();
    private boolean isUnended;
    private long count;

    Client(ReplicatedFabric fabric, int owner) {
      this.owner = owner;
      this.mine = world.random("client " + owner);
      this.sender = new RedoSender(fabric.log());
    }

    @Override
    public void run() {
      while (world.now() < RUN_NANOS) {
        transact();
        world.sleepUntil(world.now() + 1 + mine.nextLong(THINK_NANOS));
      }
    }

    void transact() {
      rows.clear();
      transaction = TransactionId.of(owner, 0, ++count);
      isUnended = true;
      entry.begin();
      sender.begin();
      add(0);
      if (mine.nextInt(3) == 0) {
        sender.part(entry, transaction);
        world.sleepUntil(world.now() + 1 + mine.nextLong(THINK_NANOS));
        if (mine.nextInt(3) == 0) {
          sender.forget(entry, transaction);
          isUnended = false;
          undone.addAll(rows);
          return;
        }
        add(1);
      }
      sender.commit(entry, transaction, ++timestamps, Durability.COMMIT);
      told.addAll(rows);
      isUnended = false;
      rows.clear();
      count("appended");
    }

    private void add(int row) {
      byte[] image = new byte[IMAGE_BYTES];
      for (int i = 0; i < Long.BYTES; i++) {
        image[i] = (byte) (transaction >>> (56 - 8 * i));
      }
      image[KEY_BYTES - 1] = (byte) row;
      entry.add(STORE, image, 0, KEY_BYTES, IMAGE_BYTES, false);
      rows.add(DurableNodes.name(STORE, image, KEY_BYTES));
    }
  }
}
