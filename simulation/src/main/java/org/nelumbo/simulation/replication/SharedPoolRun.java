package org.nelumbo.simulation.replication;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.simulation.run.FaultRun;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A run in which compute nodes share a pool with three copies, without an engine above it. The
 * first one creates the pool and others join; those may fail until {@code runNanos} have passed.
 *
 * @param <C> client of a compute node, one for each of its threads
 */
public abstract class SharedPoolRun<C extends Runnable> extends FaultRun {
  /** End of the compute nodes' own words; the memory after it is allocated. */
  private static final long BUMP = 64 << 10;

  private static final int STAGING_BYTES = 64;
  private static final int CLIENTS_MAX = 3;
  private static final long LEASE_NANOS = 1_000_000;

  protected final List<Member> members = new ArrayList<>();
  private final long runNanos;
  private int memberNumber;

  /**
   * Creates a run.
   *
   * @param firstMember number of the first compute node
   */
  protected SharedPoolRun(
      SimWorld world,
      Totals totals,
      String stream,
      long runNanos,
      long limitNanos,
      long steps,
      int firstMember) {
    super(world, totals, stream, limitNanos, steps);
    this.runNanos = runNanos;
    this.memberNumber = firstMember;
  }

  protected abstract SimReplicas replicas();

  protected abstract C newClient(Member member, int index);

  /** Called by a joining compute node before it attaches. */
  protected void beforeJoin() {}

  /** Called after a compute node has failed, and perhaps another has been started in its place. */
  protected void afterDeath(Member dead) {}

  /** Runs a client until it ends. */
  protected void runClient(Member member, C client) {
    client.run();
  }

  /** Creates the pool, and starts the clients of the first compute node. */
  protected final void makePool(Member first, ReplicatedFabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      for (int logical = 0; logical < fabric.nodeCount(); logical++) {
        channel.writeLong(PoolAddress.of(logical, SuperblockLayout.BUMP_OFFSET), BUMP);
      }
      channel.flush();
    }
    fabric.share(true);
    first.work(fabric);
  }

  /** Starts a compute node that joins. */
  protected final void enter() {
    Member entering = new Member();
    world.spawn(
        entering.node,
        "enter",
        () -> {
          beforeJoin();
          try {
            entering.fabric = (ReplicatedFabric) replicas().attach(entering.node);
          } catch (FabricException e) {
            count("refused"); // the others took too long to agree on the members
            members.remove(entering);
            return;
          }
          entering.work(entering.fabric);
          if (random.nextInt(3) == 0) {
            later(runNanos, () -> die(entering));
          }
        });
  }

  /** Its verbs in flight arrive or not. */
  private void die(Member dead) {
    if (world.now() < runNanos && !dead.isDead) {
      count("deaths");
      dead.isDead = true;
      world.tasksOf(dead.node).forEach(replicas()::stop);
      if (random.nextInt(2) == 0) {
        enter();
      }
      afterDeath(dead);
    }
  }

  /** Fences a failed compute node, and completes its flushes. */
  protected final void fence(ReplicatedFabric fabric, Member dead) {
    world.sleepUntil(world.now() + random.nextLong(LEASE_NANOS));
    replicas().fence(dead.fabric);
    fabric.complete(dead.fabric.tenant(), _ -> false);
  }

  protected final void closeAll() {
    members.stream().filter(each -> !each.isDead).forEach(each -> each.fabric.close());
  }

  /** A compute node. */
  protected final class Member {
    public final int number = memberNumber++;
    public final SimNode node = world.addNode("cn" + number);
    public final List<C> clients = new ArrayList<>();

    /** Null until it has joined. */
    public ReplicatedFabric fabric;

    public boolean isDead;
    public boolean isRecovered;
    private int working;

    public Member() {
      members.add(this);
    }

    public boolean isOver() {
      return isDead ? isRecovered : fabric != null && working == 0;
    }

    private void work(ReplicatedFabric joined) {
      fabric = joined;
      working = 1 + random.nextInt(CLIENTS_MAX);
      for (int i = 0; i < working; i++) {
        C client = newClient(this, i);
        clients.add(client);
        world.spawn(
            node,
            "client" + i,
            () -> {
              runClient(this, client);
              working--;
            });
      }
    }
  }
}
