package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockResult;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.RemoteLocks;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.session.ConflictPolicy;

/**
 * The locks that a coordinator holds on shards of other compute nodes. Its own thread sends
 * requests and waits; replies arrive on other threads, and the thread that serves locks resends
 * unacknowledged messages.
 */
public final class CoordinatorLocks implements RemoteLocks {
  /** Time after which a message is sent again. */
  static final long RESEND_NANOS = 1_000_000;

  /** Longest pause between two checks for a new map; a new map ends it earlier. */
  private static final long MAP_PAUSE_NANOS = 500_000;

  private final Environment environment;
  private final LockTable table;
  private final PeerNetwork network;
  private final Supplier<ServedShards> served;
  private final long patienceNanos;
  private final Runnable onUnheard;
  private final BooleanSupplier isLost;
  private final int slot;
  private final CommitLatch latch = new CommitLatch();
  private final GrantSet held = new GrantSet();
  private final ClusterLockCounts counts = new ClusterLockCounts();
  private final LockProbe probe;

  /** Guards the following fields; held no longer than it takes to build a message. */
  private final ReentrantLock mutex = new ReentrantLock();

  private final List<Conversation> conversations = new ArrayList<>();
  private final LockRequest message = new LockRequest();
  private final ByteBuffer buffer = ByteBuffer.allocate(PeerNetwork.MESSAGE_BYTES_MAX);
  private long begin = 1;
  private long sequence = 1;
  private long priority;
  private long holder;
  private int flags;
  private long[] keys = new long[0];
  private byte[] operations = new byte[0];
  private boolean[] isDone = new boolean[8];
  private long[] rowAddresses = new long[8];

  private volatile Thread waiter;

  /**
   * Creates the remote locks of a coordinator, which holds none.
   *
   * @param onUnheard runs after a message that {@link #resend} has to repeat if it gets lost
   * @param isLost returns true if this compute node no longer shares the pool
   */
  CoordinatorLocks(
      Environment environment,
      LockTable table,
      PeerNetwork network,
      Supplier<ServedShards> served,
      long patienceNanos,
      Runnable onUnheard,
      BooleanSupplier isLost,
      int slot) {
    this.environment = environment;
    this.table = table;
    this.network = network;
    this.served = served;
    this.patienceNanos = patienceNanos;
    this.onUnheard = onUnheard;
    this.isLost = isLost;
    this.slot = slot;
    this.probe = new LockProbe(environment, network, served, slot);
  }

  CommitLatch latch() {
    return latch;
  }

  ClusterLockCounts counts() {
    return counts;
  }

  // The transaction.

  @Override
  public void begin(long newPriority) {
    mutex.lock();
    try {
      priority = newPriority;
    } finally {
      mutex.unlock();
    }
    latch.begin(begin);
  }

  @Override
  public boolean isLocal(long key) {
    return served.get().isServed(LockShards.of(key));
  }

  @Override
  public boolean confirmLocal(long key) {
    latch.note(LockShards.of(key));
    boolean isGranted = isLocal(key);
    if (isGranted) {
      counts.countLocal();
    }
    return isGranted;
  }

  @Override
  public boolean holds(long key) {
    return held.size() > 0 && held.find(key) >= 0;
  }

  @Override
  public boolean holdsAny() {
    return held.size() > 0;
  }

  @Override
  public long holder() {
    return holder;
  }

  @Override
  public boolean hold() {
    return latch.hold();
  }

  @Override
  public boolean mustEnd() {
    return latch.mustEnd() || isLost();
  }

  @Override
  public boolean isLost() {
    return isLost.getAsBoolean();
  }

  @Override
  public boolean hasKeeper(long key) {
    return served.get().map().owner(LockShards.of(key)) != null;
  }

  @Override
  public boolean isOverdue() {
    return latch.isOverdue(environment::nanoTime, patienceNanos);
  }

  @Override
  public boolean isRevoked() {
    return latch.isRevoked();
  }

  @Override
  public boolean release(long key) {
    int at = held.find(key);
    if (at < 0) {
      return false;
    }
    mutex.lock();
    try {
      Conversation with = conversations.get(held.granter(at));
      with.addUnlock(key, held.sequence(at));
      send(with, false);
    } finally {
      mutex.unlock();
    }
    held.remove(at);
    return true;
  }

  @Override
  public void end() {
    latch.end();
    mutex.lock();
    try {
      long ended = begin;
      begin = ++sequence;
      for (Conversation each : conversations) {
        if (each.isOf(ended)) {
          each.end();
          send(each, false);
        }
      }
      forgetStrangers();
    } finally {
      mutex.unlock();
    }
    held.clear();
  }

  /**
   * Drops conversations with compute nodes that are no longer members; no lock is held. Guarded by
   * the mutex.
   */
  private void forgetStrangers() {
    ShardMap map = served.get().map();
    for (int i = conversations.size() - 1; i >= 0; i--) {
      if (!map.isMember(conversations.get(i).owner()) && !conversations.get(i).isOpen()) {
        conversations.remove(i);
      }
    }
  }

  // Requests.

  @Override
  public LockResult acquire(
      long[] wantedKeys,
      byte[] wantedOperations,
      int count,
      ConflictPolicy policy,
      boolean alone,
      long timeoutNanos,
      CancellationToken token) {
    int how =
        policy == ConflictPolicy.NO_WAIT ? LockRequest.NO_WAIT : alone ? LockRequest.ALONE : 0;
    return request(wantedKeys, wantedOperations, count, how, timeoutNanos, token);
  }

  private LockResult request(
      long[] wantedKeys,
      byte[] wantedOperations,
      int count,
      int wantedFlags,
      long timeoutNanos,
      CancellationToken token) {
    keys = wantedKeys;
    operations = wantedOperations;
    if (isDone.length < count) {
      rowAddresses = new long[2 * count];
      isDone = new boolean[2 * count];
    }
    Arrays.fill(isDone, 0, count, false);
    flags = wantedFlags;
    holder = 0;
    long deadline = environment.nanoTime() + timeoutNanos;
    waiter = Thread.currentThread();
    LockResult result;
    try {
      do {
        result = round(count, deadline, token);
      } while (result == LockResult.RETRY);
    } finally {
      waiter = null;
    }
    if (result != LockResult.GRANTED && result != LockResult.NOT_OWNER) {
      abandonAll();
    }
    return result;
  }

  @Override
  public void awaitOlder(long key, long timeoutNanos, CancellationToken token) {
    long[] sole = {key};
    byte[] operation = {LockMode.READ.code()};
    LockResult result = request(sole, operation, 1, LockRequest.AWAITS_OLDER, timeoutNanos, token);
    if (result == LockResult.TIMED_OUT || result == LockResult.CANCELLED) {
      end(); // so that the owner stops keeping younger ones away
    }
  }

  @Override
  public long rowAddress(int i) {
    return isDone[i] ? rowAddresses[i] : 0;
  }

  private LockResult round(int count, long deadline, CancellationToken token) {
    ServedShards now = served.get();
    boolean isLocal = false;
    boolean isSent = false;
    boolean waitsForMap = false;
    for (int i = 0; i < count; i++) {
      if (!isDone[i]) {
        int shard = LockShards.of(keys[i]);
        PeerId owner = now.map().owner(shard);
        if (owner == null && (flags & LockRequest.NO_WAIT) != 0) {
          return LockResult.DIE;
        } else if (owner == null) {
          waitsForMap = true;
        } else if (owner.equals(network.self())) {
          isLocal |= now.isServed(shard);
          waitsForMap |= !now.isServed(shard);
        } else {
          ask(owner, i);
          isSent = true;
        }
      }
    }
    if (isSent) {
      return exchange(now.map(), deadline, token);
    }
    if (waitsForMap) {
      return awaitMap(now.map(), deadline, token);
    }
    return isLocal ? LockResult.NOT_OWNER : LockResult.GRANTED;
  }

  private void ask(PeerId owner, int index) {
    mutex.lock();
    try {
      Conversation with = conversation(owner);
      if (!with.isOpen()) {
        with.open(++sequence, begin);
      }
      if (!with.isFull()) {
        with.add(index);
      }
    } finally {
      mutex.unlock();
    }
  }

  private Conversation conversation(PeerId owner) {
    for (Conversation each : conversations) {
      if (each.owner().equals(owner)) {
        return each;
      }
    }
    Conversation added = new Conversation(owner);
    conversations.add(added);
    return added;
  }

  private LockResult exchange(ShardMap map, long deadline, CancellationToken token) {
    mutex.lock();
    try {
      for (Conversation each : conversations) {
        if (each.isOpen()) {
          send(each, false);
          counts.countRequest();
        }
      }
    } finally {
      mutex.unlock();
    }
    LockResult result = await(map, deadline, token);
    boolean isRefused = result != LockResult.GRANTED;
    boolean waitsForMap = false;
    mutex.lock();
    try {
      for (int index = 0; index < conversations.size(); index++) {
        Conversation each = conversations.get(index);
        if (each.isOpen()) {
          for (int i = 0; i < each.locks(); i++) {
            LockResult decided = each.result(i);
            if (decided == LockResult.GRANTED) {
              accept(index, each, i);
            } else {
              isRefused |= isRefusal(each, i);
              waitsForMap |= decided == LockResult.NOT_OWNER;
            }
          }
          finish(each);
        }
      }
    } finally {
      mutex.unlock();
    }
    if (result != LockResult.GRANTED) {
      return result;
    }
    if (isRefused || mustEnd()) {
      return LockResult.DIE;
    }
    return waitsForMap ? awaitMap(map, deadline, token) : LockResult.RETRY;
  }

  /**
   * An upgrade of a lock whose shard is about to move counts as refused, since the read lock has to
   * be released.
   */
  private boolean isRefusal(Conversation with, int lock) {
    LockResult result = with.result(lock);
    return result == LockResult.DIE
        || result == LockResult.FULL
        || result == LockResult.NOT_OWNER && operations[with.index(lock)] == UPGRADE;
  }

  /**
   * Releases locks that may be granted to the request later. (An upgrade keeps the number of the
   * lock's first grant, so its unlock only ends the request.)
   */
  private void finish(Conversation with) {
    if (!with.isDecided()) {
      for (int i = 0; i < with.locks(); i++) {
        if (with.result(i) == LockResult.WAIT) {
          with.addUnlock(keys[with.index(i)], with.sequence());
        }
      }
      sequence++;
    }
    with.close();
  }

  private void accept(int granter, Conversation with, int lock) {
    int index = with.index(lock);
    long key = keys[index];
    int shard = LockShards.of(key);
    latch.note(shard);
    if (served.get().map().isGrantValid(shard, with.owner(), with.epoch(lock))) {
      boolean upgrade = operations[index] == UPGRADE;
      LockMode mode = RemoteLocks.mode(operations[index]);
      long grant = upgrade ? held.sequence(held.find(key)) : with.sequence();
      held.add(key, mode, grant, granter);
      isDone[index] = true;
      rowAddresses[index] = with.address(lock);
      counts.countRemote();
    } else {
      with.addUnlock(key, with.sequence());
    }
  }

  private void abandonAll() {
    mutex.lock();
    try {
      for (Conversation each : conversations) {
        if (each.isOpen()) {
          finish(each);
        }
      }
    } finally {
      mutex.unlock();
    }
  }

  // Waiting.

  /**
   * Returns GRANTED if all requests are decided or a lock has another owner, else the reason to
   * stop.
   */
  private LockResult await(ShardMap map, long deadline, CancellationToken token) {
    while (!isDecided(map)) {
      LockResult stopped = stopped(deadline, token);
      if (stopped != LockResult.WAIT) {
        return stopped;
      }
      environment.parkNanos(RESEND_NANOS / 2);
    }
    return LockResult.GRANTED;
  }

  /** Returns WAIT if the transaction may continue to wait, else the reason to stop. */
  private LockResult stopped(long deadline, CancellationToken token) {
    if (mustEnd()) {
      return LockResult.DIE;
    }
    if (token.isSet()) {
      return LockResult.CANCELLED;
    }
    return environment.nanoTime() - deadline >= 0 ? LockResult.TIMED_OUT : LockResult.WAIT;
  }

  /**
   * Returns true if each request is decided, or if one of the locks has an owner other than the
   * receiver of the request. Resends requests that are due.
   */
  private boolean isDecided(ShardMap map) {
    ShardMap latest = served.get().map();
    mutex.lock();
    try {
      boolean isDecided = true;
      for (Conversation each : conversations) {
        if (each.isOpen()) {
          if (latest.epoch() != map.epoch() && !isStillOwner(each, latest)) {
            return true;
          }
          isDecided &= each.isDecided();
          if (!each.isDecided() && isDue(each)) {
            send(each, false);
          }
        }
      }
      return isDecided;
    } finally {
      mutex.unlock();
    }
  }

  private boolean isStillOwner(Conversation with, ShardMap latest) {
    for (int i = 0; i < with.locks(); i++) {
      int shard = LockShards.of(keys[with.index(i)]);
      if (!with.owner().equals(latest.owner(shard))) {
        return false;
      }
    }
    return true;
  }

  private boolean isDue(Conversation with) {
    return environment.nanoTime() - with.lastSent() >= RESEND_NANOS;
  }

  /**
   * A shard moves, or has no owner because its last owner failed. A transaction in hold with locks
   * of that owner gets no more locks, so it does not wait for this transaction.
   */
  private LockResult awaitMap(ShardMap map, long deadline, CancellationToken token) {
    LockResult stopped = stopped(deadline, token);
    if (stopped != LockResult.WAIT) {
      return stopped;
    }
    if (served.get().map() == map) {
      environment.parkNanos(MAP_PAUSE_NANOS);
    }
    return LockResult.RETRY;
  }

  // Probes.

  @Override
  public boolean mayBeWriteLocked(long key) {
    int shard = LockShards.of(key);
    if (served.get().isServed(shard)) {
      return table.isWriteLocked(key) || !served.get().isServed(shard);
    }
    return probe.mayBeLocked(key);
  }

  /** Processes the reply of an owner about a lock. Any thread may call this. */
  void hear(PeerId from, ProbeMessage reply) {
    probe.hear(from, reply);
  }

  // Messages.

  /** Guarded by the mutex. */
  private void send(Conversation with, boolean wantsReply) {
    message.clear();
    boolean isOpen = with.isOpen();
    message.flags = isOpen ? flags : wantsReply || with.isLong() ? LockRequest.WANTS_REPLY : 0;
    message.slot = slot;
    message.epoch = served.get().map().epoch();
    message.begin = begin;
    message.sequence = isOpen ? with.sequence() : sequence;
    message.priority = priority;
    with.write(message, environment.nanoTime());
    for (int i = 0; isOpen && i < with.locks(); i++) {
      message.addLock(keys[with.index(i)], operations[with.index(i)]);
    }
    message.encode(buffer);
    network.send(with.owner(), buffer);
    if (with.isUnheard()) {
      onUnheard.run();
    }
  }

  /** Processes a reply of an owner. Any thread may call this. */
  void hear(PeerId from, LockReply reply) {
    mutex.lock();
    try {
      for (Conversation each : conversations) {
        if (each.owner().equals(from)) {
          each.hear(reply);
          holder = reply.holder() != 0 ? reply.holder() : holder;
        }
      }
    } finally {
      mutex.unlock();
    }
    wake();
  }

  /** Wakes the coordinator to check its state. Any thread may call this. */
  void wake() {
    Thread thread = waiter;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
    probe.wake();
  }

  /**
   * Resends unacknowledged messages, unless the coordinator itself does. Any thread may call this.
   * Returns true if some may have to be sent again later.
   */
  boolean resend() {
    ShardMap map = served.get().map();
    boolean isUnheard = false;
    mutex.lock();
    try {
      for (Conversation each : conversations) {
        if (!map.isMember(each.owner())) {
          each.forget();
        } else if (!each.isOpen() && each.isUnheard() && isDue(each)) {
          send(each, true);
        }
        isUnheard |= each.isUnheard();
      }
    } finally {
      mutex.unlock();
    }
    return isUnheard;
  }
}
