package org.nelumbo.simulation.locks;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.cache.OwnedLeaves;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.nelumbo.executor.lock.LeafKeys;
import org.nelumbo.executor.lock.LockAcquirer;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockSet;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.Priority;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.lock.remote.LockShards;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.simulation.message.MessageFaults;
import org.nelumbo.simulation.message.MessageNetwork;
import org.nelumbo.simulation.message.SimPeers;
import org.nelumbo.simulation.run.FaultRun;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A run of locks on many compute nodes with one seed. Transactions take locks in all modes, one at
 * a time or several, upgrade some, release some, are cancelled, time out, commit. Meanwhile
 * messages get lost, doubled and late, links are cut in one direction, compute nodes pause, are
 * declared failed, fail and return, and shards move.
 *
 * <p>The invariants are those of {@link LockLedger}. In addition:
 *
 * <ul>
 *   <li>A waiting transaction gets a reply in time.
 *   <li>When all faults are over, a transaction that keeps its age gets its locks within {@value
 *       #LONGEST_NANOS} ns.
 *   <li>In the end no lock is left.
 * </ul>
 */
public final class LocksRun extends FaultRun {
  private static final long RUN_NANOS = 30_000_000;

  /** Time from the end of all faults until no transaction begins. */
  private static final long CALM_NANOS = 20_000_000;

  /** Time from the end of the last transaction until no lock may be left. */
  private static final long QUIET_NANOS = 8_000_000;

  /** Maximum time that a client needs for its locks without faults. */
  private static final long LONGEST_NANOS = 20_000_000;

  /**
   * Maximum time until the last transaction has ended: all clients may wait in one queue, and each
   * holds its locks for some milliseconds.
   */
  private static final long DRAIN_ALL_NANOS = 320_000_000;

  /**
   * First timestamp: priority 0 at time 0 would be taken for the priority of a garbage collector.
   */
  private static final long FIRST_TIMESTAMP = 1 << 12;

  private static final long DRAIN_NANOS = 3_000_000;
  private static final long GIVE_UP_NANOS = 15_000_000;
  private static final long STEPS = 20_000_000;

  private final MessageNetwork network;
  private final SimPeers peers;
  private final LockLedger ledger = new LockLedger();
  private final ConfigurationBoard board;
  private final List<Member> members = new ArrayList<>();
  private final List<SimTask> clientTasks = new ArrayList<>();
  private long lastWork;

  /** Longest wait for a change of a leaf, in addition to the lock timeout. */
  private static final long CHANGE_NANOS = 2_000_000_000;

  private final long[] keys;
  private final int clients;
  private final double writes;
  private final long thinkNanos;
  private final long flushNanos;

  /** Transactions that begin within this time, in microseconds, have the same age. */
  private final long ageMicros;

  private final boolean losesToTheEnd;
  private final long recoveryNanos;
  private final double strikeShare;

  public LocksRun(SimWorld world, Totals totals) {
    super(
        world, totals, "locks", RUN_NANOS + CALM_NANOS + DRAIN_ALL_NANOS + 8 * QUIET_NANOS, STEPS);
    this.clients = 1 + random.nextInt(3);
    this.writes = 0.1 + random.nextInt(3) * 0.3;
    this.thinkNanos = random.chance(0.3) ? 1_000_000 : random.chance(0.5) ? 100_000 : 20_000;
    this.flushNanos = random.chance(0.3) ? 3_000_000 : 20_000;
    this.ageMicros = random.chance(0.5) ? 1 : 100;
    this.losesToTheEnd = random.chance(0.3);
    this.recoveryNanos = random.chance(0.5) ? 100_000 : 3_000_000;
    this.strikeShare = random.nextInt(3) * 0.05;
    this.keys = newKeys(3 + random.nextInt(14));
    this.network =
        new MessageNetwork(
            world,
            "messages",
            new MessageFaults(
                2_000,
                20_000,
                random.chance(0.5) ? 0.1 : 0,
                random.chance(0.5) ? 200_000 : 5_000_000,
                random.nextInt(3) * 0.05,
                random.chance(0.5) ? 0.1 : 0));
    this.peers = new SimPeers(world, network);
    List<PeerId> first = new ArrayList<>();
    int count = 2 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      first.add(new PeerId(i, 1));
    }
    this.board = new ConfigurationBoard(ledger, first);
    for (PeerId each : first) {
      members.add(new Member(each));
    }
  }

  private long[] newKeys(int count) {
    long[] result = new long[count];
    for (int i = 0; i < count; i++) {
      long row = random.nextLong() | 1L << 63;
      result[i] =
          random.chance(0.3)
              ? random.nextLong(1L << 40) & -1024L
              : row & -LockShards.COUNT | random.nextInt(4) * 1000L;
    }
    return result;
  }

  @Override
  protected void run() {
    members.forEach(Member::start);
    world.spawn(world.addNode("faults"), "faults", this::disturb);
    world.run();
    for (Member each : members) {
      each.checkEmpty();
    }
  }

  @Override
  protected void end() {
    count("commits", ledger.commits());
    count("grants", ledger.grants());
    count("configurations", board.configuration().version());
    count("messages", network.delivered());
    count("lost", network.lost());
  }

  @Override
  protected String describe() {
    return System.lineSeparator() + ledger.running();
  }

  private boolean isFaulty() {
    return world.now() < RUN_NANOS;
  }

  private boolean isOver() {
    return world.now() >= RUN_NANOS + CALM_NANOS;
  }

  private boolean isQuiet() {
    if (clientTasks.stream().anyMatch(SimTask::isAlive)) {
      lastWork = world.now();
    }
    return isOver() && world.now() > lastWork + QUIET_NANOS;
  }

  // Faults.

  private void disturb() {
    long pause = RUN_NANOS / (10 + random.nextInt(60));
    while (isFaulty()) {
      pause(pause);
      int at = random.nextInt(members.size());
      switch (random.nextInt(8)) {
        case 0 -> cutForAWhile(at, random.nextInt(members.size()));
        case 1 -> pauseForAWhile(members.get(at));
        case 2 -> kill(at);
        case 3 -> suspect(members.get(at));
        default -> moveSomething(members.get(at));
      }
    }
    network.healAll();
    double lost = losesToTheEnd ? 0.2 : 0;
    network.setFaults(new MessageFaults(2_000, 20_000, 0, 20_000, lost, 0));
    world.at(
        RUN_NANOS + CALM_NANOS + QUIET_NANOS / 5,
        () -> network.setFaults(new MessageFaults(2_000, 20_000, 0, 20_000, 0, 0)));
    // Compute nodes that were declared failed have ended by then.
    world.sleepUntil(world.now() + 5_000_000);
    for (int i = 0; i < members.size(); i++) {
      if (!members.get(i).isAlive) {
        replace(i);
      }
    }
  }

  private void cutForAWhile(int from, int to) {
    network.cut(from, to);
    if (random.chance(0.5)) {
      network.cut(to, from);
    }
    network.healAt(world.now() + random.nextLong(5_000_000), from, to);
  }

  private void pauseForAWhile(Member member) {
    long until = world.now() + random.nextLong(5_000_000);
    member.sim.pauseUntil(until);
    peers.pauseUntil(member.id, until);
    member.pausedUntil = Math.max(member.pausedUntil, until);
  }

  private void kill(int at) {
    Member member = members.get(at);
    if (member.isAlive) {
      count("deaths");
      member.stop();
      long noticed = world.now() + random.nextLong(recoveryNanos);
      world.at(noticed, () -> remove(member));
      world.at(noticed + random.nextLong(8_000_000), () -> replace(at));
    }
  }

  private void suspect(Member member) {
    if (member.isAlive) {
      remove(member);
    }
  }

  private void remove(Member member) {
    if (board.map().isMember(member.id)) {
      board.remove(member.id);
      long recovered = world.now() + random.nextLong(recoveryNanos);
      world.at(recovered, () -> board.recover(member.id));
    }
  }

  private void replace(int at) {
    Member old = members.get(at);
    if (!old.isAlive && !isOver()) {
      remove(old);
      Member next = new Member(new PeerId(at, old.id.incarnation() + 1));
      members.set(at, next);
      board.join(next.id);
      next.start();
    }
  }

  private void strikeOwner(int shard) {
    PeerId owner = board.map().owner(shard);
    if (owner == null) {
      return;
    }
    int at = owner.node();
    switch (random.nextInt(4)) {
      case 0 -> kill(at);
      case 1 -> suspect(members.get(at));
      default -> moveSomething(members.get(at));
    }
  }

  private void moveSomething(Member from) {
    Member to = members.get(random.nextInt(members.size()));
    BitSet shards = new BitSet();
    for (long key : keys) {
      int shard = LockShards.of(key);
      if (from.id.equals(board.map().owner(shard)) && random.chance(0.5)) {
        shards.set(shard);
      }
    }
    if (from.isAlive && from != to && !shards.isEmpty() && !from.isMoving) {
      from.isMoving = true;
      world.spawn(from.sim, "move", () -> from.move(shards, to.id));
    }
  }

  private final class Member {
    private final PeerId id;
    private final SimNode sim;
    private final LockTable table;
    private final ClusterLocks locks;
    private final SimRandom own;
    private boolean isAlive = true;
    private boolean isMoving;
    private long known;
    private long pausedUntil;
    private long wantedEpoch;

    Member(PeerId id) {
      this.id = id;
      this.sim = world.addNode("cn" + id.node() + "." + id.incarnation());
      this.table = new LockTable(sim.environment(), 512);
      this.own = world.random("member " + id);
      this.known = board.configuration().version();
      this.locks =
          new ClusterLocks(
              sim.environment(),
              table,
              peers.join(id),
              board.map(),
              OwnedCopies.NONE,
              DRAIN_NANOS,
              epoch -> wantedEpoch = Math.max(wantedEpoch, epoch),
              _ -> {});
    }

    void start() {
      locks.start();
      world.spawn(sim, "configuration", this::follow);
      for (int i = 0; i < clients; i++) {
        int slot = i;
        clientTasks.add(world.spawn(sim, "client" + i, () -> new Client(this, slot).work()));
      }
    }

    /** Stops between any two steps. */
    void stop() {
      isAlive = false;
      peers.leave(id);
      LocksRun.this.stop(sim);
    }

    private void follow() {
      while (!isQuiet()) {
        sim.environment()
            .parkNanos(20_000 + own.nextLong(isFaulty() ? 5 * recoveryNanos / 10 : 50_000));
        ClusterConfiguration latest = board.configuration();
        if (latest.map().epoch() < wantedEpoch && own.chance(0.5)) {
          continue;
        }
        if (!latest.isMember(id) && ledger.isFenced(id)) {
          stop();
          return;
        }
        locks.install(latest.map());
        latest.recoveredSince(known).forEach(locks::releaseHolders);
        known = latest.version();
        if (locks.isDrained()) {
          board.settle(id, known);
        }
      }
    }

    private void move(BitSet shards, PeerId to) {
      locks.freeze(shards);
      long start = world.now();
      while (!locks.free(shards).equals(shards)) {
        sim.environment().parkNanos(50_000);
        if (world.now() > start + GIVE_UP_NANOS) {
          break;
        } else if (world.now() > start + DRAIN_NANOS) {
          locks.abortHolders(shards);
        }
      }
      if (locks.free(shards).equals(shards) && board.move(shards, id, to)) {
        count("moves");
      } else {
        locks.thaw(shards);
      }
      isMoving = false;
    }

    void checkEmpty() {
      if (isAlive) {
        table.verify();
        if (table.heldCount() != 0 || locks.grantCount() != 0) {
          throw new IllegalStateException(
              table.heldCount() + " locks are still held: " + locks + board.map());
        }
      }
    }
  }

  private final class Client {
    private final Member member;
    private final int slot;
    private final SimRandom own;
    private final CancellationToken token;
    private final LockAcquirer locks;
    private LockingTransaction transaction;

    Client(Member member, int slot) {
      this.member = member;
      this.slot = slot;
      this.own = world.random("client " + member.id + " " + slot);
      this.token = new CancellationToken(member.sim.environment());
      this.locks =
          new LockAcquirer(
              member.sim.environment(),
              member.table,
              new LockSet(),
              token,
              why -> {
                throw new IllegalStateException(why);
              },
              member.locks.coordinator(slot),
              OwnedLeaves.NONE);
    }

    void work() {
      while (!isOver()) {
        long start = world.now();
        long age = FIRST_TIMESTAMP + start / 1000 / ageMicros * ageMicros * 16;
        long priority = Priority.of(age, slot, member.id.node());
        boolean isCalm = !isFaulty() && !losesToTheEnd;
        while (!transact(priority) && isCalm && !isOver()) {
          think(20_000);
        }
        if (isCalm && !isOver()) {
          countMax("longest_us", (world.now() - start) / 1000);
          if (world.now() - start > LONGEST_NANOS) {
            throw new IllegalStateException("starved for " + (world.now() - start) + " ns");
          }
        }
        think(thinkNanos);
      }
    }

    private void think(long nanos) {
      member.sim.environment().parkNanos(1 + own.nextLong(nanos));
    }

    /** Returns true if the transaction got all its locks. */
    private boolean transact(long priority) {
      count("transactions");
      boolean waits = own.chance(0.9) || !isFaulty();
      long timeout = isFaulty() ? own.nextLong(own.chance(0.3) ? 300_000 : 20_000_000) : 1L << 40;
      token.arm(0);
      if (isFaulty() && own.chance(0.1)) {
        world.at(world.now() + own.nextLong(2_000_000), token::cancel);
      }
      locks.begin(priority, waits ? ConflictPolicy.WAIT_DIE : ConflictPolicy.NO_WAIT, timeout);
      transaction = new LockingTransaction(member.id, locks);
      ledger.begin(transaction);
      boolean isGranted = own.chance(0.5) ? lockTogether(timeout) : true;
      for (int left = own.nextInt(5); isGranted && left > 0; left--) {
        isGranted = lockOne(keys[own.nextInt(keys.length)], timeout);
        think(thinkNanos);
      }
      if (isGranted && own.chance(0.9)) {
        commit();
      }
      count("revoked", locks.isRevoked() ? 1 : 0);
      ledger.end(transaction);
      locks.releaseAll();
      if (!isGranted) {
        locks.awaitOlder();
      }
      return isGranted;
    }

    private boolean lockTogether(long timeout) {
      int count = 1 + own.nextInt(5);
      long[] wanted = new long[count];
      for (int i = 0; i < count; i++) {
        wanted[i] = keys[own.nextInt(keys.length)];
      }
      LockMode mode = own.chance(writes) ? LockMode.WRITE : LockMode.READ;
      long start = world.now();
      if (!isOk(locks.acquireAhead(wanted, count, mode), start, timeout)) {
        return false;
      }
      for (long key : wanted) {
        if (locks.holds(key)) {
          ledger.granted(transaction, key, mode);
        }
      }
      for (long key : wanted) {
        if (!acquire(key, mode, timeout)) {
          return false;
        }
      }
      return true;
    }

    private boolean lockOne(long key, long timeout) {
      if (LeafKeys.isLeaf(key) && own.chance(0.2)) {
        change(key);
      }
      if (own.chance(0.3)) {
        return insert(key, timeout);
      }
      return acquire(key, own.chance(writes) ? LockMode.WRITE : LockMode.READ, timeout);
    }

    private boolean acquire(long key, LockMode mode, long timeout) {
      long start = world.now();
      if (!isOk(locks.acquire(key, mode), start, timeout)) {
        return false;
      }
      boolean writes = locks.holds(key, LockMode.WRITE);
      ledger.granted(transaction, key, writes ? LockMode.WRITE : LockMode.READ);
      return true;
    }

    private boolean insert(long key, long timeout) {
      LeafGuard leaves = locks.leafGuard();
      for (int times = 1 + own.nextInt(2); times > 0; times--) {
        long start = world.now();
        boolean triesOnly = own.chance(0.2);
        if (triesOnly ? !leaves.tryEnterInsert(key) : !leaves.enterInsert(key)) {
          long limit = LeafKeys.isLeaf(key) ? timeout + CHANGE_NANOS : timeout;
          return triesOnly || isOk(locks.failure(), start, limit);
        }
        boolean isLeaf = LeafKeys.isLeaf(key);
        if (isLeaf) {
          ledger.granted(transaction, LeafKeys.change(key), LockMode.CHANGE);
        }
        if (locks.holds(key)) {
          ledger.granted(transaction, key, LockMode.WRITE);
        } else {
          ledger.granted(transaction, key, LockMode.INSERT);
          ledger.insert(transaction, key);
          think(5_000);
          ledger.released(transaction, key);
        }
        if (isLeaf) {
          ledger.released(transaction, LeafKeys.change(key));
        }
        if (triesOnly) {
          leaves.exitTriedInsert(key);
        } else {
          leaves.exitInsert(key);
        }
      }
      return true;
    }

    private void change(long key) {
      LeafGuard leaves = locks.leafGuard();
      if (own.chance(0.3) ? leaves.tryEnterChange(key) : leaves.enterChange(key)) {
        ledger.granted(transaction, LeafKeys.change(key), LockMode.CHANGE);
        think(5_000);
        ledger.released(transaction, LeafKeys.change(key));
        leaves.exitChange(key);
      }
    }

    private boolean isOk(Outcome outcome, long start, long timeout) {
      count("conflicts", outcome == Outcome.CONFLICT ? 1 : 0);
      count("cancelled", outcome == Outcome.CANCELLED ? 1 : 0);
      if (member.pausedUntil < start && world.now() - start > timeout + 3_000_000) {
        throw new IllegalStateException(
            "waited for " + (world.now() - start) + " ns of " + timeout);
      }
      return outcome == Outcome.OK;
    }

    private void commit() {
      strike();
      if (locks.hold() == Outcome.OK) {
        strike();
        think(flushNanos);
        if (ledger.commit(transaction)) {
          think(flushNanos);
        }
      }
    }

    private void strike() {
      if (isFaulty() && own.chance(strikeShare) && !transaction.modes().isEmpty()) {
        List<Long> held = List.copyOf(transaction.modes().keySet());
        strikeOwner(LockShards.of(held.get(own.nextInt(held.size()))));
        think(thinkNanos);
      }
    }
  }
}
