package org.nelumbo.simulation.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.protocol.ProtocolRun;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * Appends of several compute nodes to the logs of three memory nodes, with one seed. Nothing is
 * above the appends. One memory node at a time loses power, or cannot be reached for a moment, and
 * comes back with its log; compute nodes die, and others enter. Transactions have one frame or two,
 * or come to nothing behind the first.
 *
 * <p>In the end all memory nodes have the same rows in their logs. These are all that somebody was
 * told of, and of the last transaction of each of the dead just what the logs have said of it.
 */
public final class SharedAppendsRun extends ProtocolRun {
  /** By this name it is asked for where scenarios are. */
  public static final String NAME = "shared-appends";

  private static final int COMPUTE_NODES_MAX = 3;
  private static final int CLIENTS_MAX = 3;
  private static final long BUMP = 64 << 10;
  private static final int STAGING_BYTES = 64;
  private static final int STORE = 7;
  private static final int KEY_BYTES = 2 * Long.BYTES;
  private static final int IMAGE_BYTES = 64;
  private static final long RUN_NANOS = 20_000_000;
  private static final long AWAY_NANOS = 4_000_000;
  private static final long LEASE_NANOS = 1_000_000;
  private static final long LOOK_NANOS = 100_000;
  private static final long THINK_NANOS = 200_000;
  private static final long LIMIT_NANOS = 1_000_000_000L;
  private static final long STEPS = 20_000_000;

  private long appended;
  private long stopped;
  private long deaths;
  private long refused;
  private long fenced;
  private long compared;

  @Override
  protected SeedRun begin(SimWorld world) {
    world.setLimits(LIMIT_NANOS, STEPS);
    return new One(world);
  }

  @Override
  public String totals() {
    return "appended="
        + appended
        + " stops="
        + stopped
        + " deaths="
        + deaths
        + " refused="
        + refused
        + " fenced="
        + fenced
        + " compared="
        + compared;
  }

  /** What belongs to one seed. */
  private final class One implements SeedRun {
    private final SimWorld world;
    private final SimRandom random;
    private final DurableNodes nodes;
    private final List<Member> members = new ArrayList<>();
    private final boolean isPowerLost;

    /** Rows that have to be there, and those that must not. */
    private final Set<String> told = new HashSet<>();

    private final Set<String> undone = new HashSet<>();

    private int computeNodesSoFar;
    private long timestamps;
    private long done;
    private long stops;
    private long died;
    private long refusals;
    private long fencings;
    private long checked;

    One(SimWorld world) {
      this.world = world;
      this.random = world.random("appends");
      this.isPowerLost = random.nextInt(3) > 0;
      this.nodes = new DurableNodes(world, false, false);
    }

    @Override
    public void run() {
      for (int node = 0; node < DurableNodes.NODES; node++) {
        start(node);
      }
      Member first = new Member();
      world.run(first.node, "begin", () -> begin(first));
    }

    @Override
    public void count() {
      appended += done;
      stopped += stops;
      deaths += died;
      refused += refusals;
      fenced += fencings;
      compared += checked;
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

    /** One after the other is away, as long as the others are there. */
    private void disturb() {
      while (world.now() < RUN_NANOS) {
        world.sleepUntil(world.now() + 1 + random.nextLong(AWAY_NANOS));
        int node = random.nextInt(DurableNodes.NODES);
        if (nodes.isStarted(node) && isWhole() && nodes.replicas().canSharersSpare(node)) {
          stops++;
          if (isPowerLost && random.nextInt(2) == 0) {
            nodes.disk(node).cut();
            nodes.die(node, world.current());
            world.sleepUntil(world.now() + 1 + random.nextLong(AWAY_NANOS));
            start(node);
          } else {
            nodes.replicas().stopNode(node);
            world.sleepUntil(world.now() + 1 + random.nextLong(AWAY_NANOS));
            nodes.replicas().restartNode(node);
          }
        }
      }
    }

    private boolean isWhole() {
      return Long.bitCount(nodes.replicas().liveNodes()) == DurableNodes.NODES;
    }

    // Compute nodes.

    /** The first one makes the pool; then others enter. */
    private void begin(Member first) {
      ReplicatedFabric fabric = takeOver(first);
      fabric.log().unify();
      try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
        for (int logical = 0; logical < fabric.nodeCount(); logical++) {
          channel.writeLong(PoolAddress.of(logical, SuperblockLayout.BUMP_OFFSET), BUMP);
        }
        channel.flush();
      }
      fabric.share();
      first.work(fabric);
      int others = random.nextInt(COMPUTE_NODES_MAX);
      for (int i = 0; i < others; i++) {
        enter();
      }
      SimNode fate = world.addNode("fate");
      world.spawn(fate, "fate", this::disturb);
      world.spawn(fate, "judge", this::judge);
    }

    /** When the memory nodes have started. */
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

    private void enter() {
      Member entering = new Member();
      world.spawn(
          entering.node,
          "enter",
          () -> {
            world.sleepUntil(world.now() + 1 + random.nextLong(RUN_NANOS / 4));
            ReplicatedFabric fabric = attach(entering.node);
            if (fabric == null) {
              members.remove(entering);
              return;
            }
            entering.work(fabric);
            if (random.nextInt(3) == 0) {
              world.at(world.now() + 1 + random.nextLong(RUN_NANOS), () -> die(entering));
            }
          });
    }

    /** Null if the others take too long to agree on who is there. */
    private ReplicatedFabric attach(SimNode node) {
      try {
        return (ReplicatedFabric) nodes.replicas().attach(node);
      } catch (FabricException e) {
        refusals++;
        return null;
      }
    }

    /** A compute node dies; what it has sent arrives, or not. */
    private void die(Member dead) {
      if (world.now() < RUN_NANOS && !dead.isDead) {
        died++;
        dead.end(null);
        if (random.nextInt(2) == 0) {
          enter();
        }
      }
    }

    /** One that lives; null if none does. */
    private Member living() {
      return members.stream().filter(Member::isLiving).findFirst().orElse(null);
    }

    /** Has the dead recovered; when all is over, who lives looks at the logs. */
    private void judge() {
      while (world.now() < RUN_NANOS || !members.stream().allMatch(Member::isOver)) {
        for (Member dead : List.copyOf(members)) {
          if (dead.isDead && !dead.isRecovered && (dead.helper == null || dead.helper.isDead)) {
            Member helper = living();
            if (helper == null) {
              return; // nobody has the pool any more
            }
            dead.helper = helper;
            world.spawn(helper.node, "recovery", () -> helper.use(fabric -> recover(fabric, dead)));
          }
        }
        world.sleepUntil(world.now() + LOOK_NANOS);
      }
      world.sleepUntil(world.now() + 2 * AWAY_NANOS);
      Member last = living();
      if (last != null) {
        world.spawn(last.node, "end", () -> last.use(this::end));
      }
    }

    /** The logs tell whether the last transaction of each of its clients counts. */
    private void recover(ReplicatedFabric fabric, Member dead) {
      world.sleepUntil(world.now() + random.nextLong(LEASE_NANOS));
      nodes.replicas().fence(dead.fabric);
      fabric.complete(dead.fabric.tenant(), _ -> false);
      for (Client each : dead.clients) {
        boolean isCommitted = each.isUnended && fabric.log().committed(each.transaction) != 0;
        (isCommitted ? told : undone).addAll(each.rows);
      }
      dead.isRecovered = true;
    }

    private void end(ReplicatedFabric fabric) {
      new Client(fabric, 0).transact(); // who writes to a node that was away finds out
      nodes.replicas().awaitWhole();
      compare();
      checked++;
      members.stream().filter(each -> !each.isDead).forEach(each -> each.fabric.close());
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
        throw new Violation("lost rows=" + missing + " undone, and there rows=" + back);
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

    /** A compute node. */
    private final class Member {
      private final int number = ++computeNodesSoFar;
      private final SimNode node = world.addNode("cn" + number);
      private final List<Client> clients = new ArrayList<>();

      /** Null until it has entered. */
      private ReplicatedFabric fabric;

      private int working;
      private boolean isDead;
      private boolean isRecovered;

      /** Who recovers it; null: nobody yet. */
      private Member helper;

      Member() {
        members.add(this);
      }

      boolean isLiving() {
        return fabric != null && !isDead;
      }

      boolean isOver() {
        return isDead ? isRecovered : fabric != null && working == 0;
      }

      /** All its tasks end, but for one that is at its end. */
      void end(SimTask spared) {
        isDead = true;
        for (SimTask task : new ArrayList<>(world.tasks())) {
          if (task != spared && task.node() == node && task.isAlive()) {
            nodes.replicas().stop(task);
          }
        }
      }

      /** Does something with the pool; others may take the compute node for dead, and fence it. */
      void use(Consumer<ReplicatedFabric> work) {
        try {
          work.accept(fabric);
        } catch (FabricException e) {
          if (isDead) {
            return;
          }
          if (!nodes.replicas().isFenced(fabric)) {
            throw e;
          }
          fencings++;
          end(world.current());
        }
      }

      void work(ReplicatedFabric entered) {
        fabric = entered;
        working = 1 + random.nextInt(CLIENTS_MAX);
        for (int i = 0; i < working; i++) {
          Client client = new Client(fabric, number << 4 | i);
          clients.add(client);
          world.spawn(
              node,
              "client" + i,
              () -> {
                use(_ -> client.run());
                working--;
              });
        }
      }
    }

    /** One coordinator of a compute node. */
    private final class Client {
      private final int owner;
      private final SimRandom mine;
      private final RedoEntry entry = new RedoEntry();
      private final RedoSender sender;

      /** Of the last transaction. */
      private long transaction;

      private final List<String> rows = new ArrayList<>();
      private boolean isUnended;
      private long count;

      Client(ReplicatedFabric fabric, int owner) {
        this.owner = owner;
        this.mine = world.random("client " + owner);
        this.sender = new RedoSender(fabric.log());
      }

      void run() {
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
        done++;
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
}
