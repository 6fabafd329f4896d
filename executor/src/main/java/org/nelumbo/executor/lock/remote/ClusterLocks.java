package org.nelumbo.executor.lock.remote;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.lock.LockTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of one compute node in locks that span many compute nodes: the map of the shards, the
 * remote locks of its coordinators, and the service for other compute nodes. Thread-safe.
 *
 * <p>{@link #install} changes the configuration. The required actions at such a change are
 * described there and at {@link #releaseHolders}, {@link #isDrained} and {@link #freeze}. The
 * agreement on a configuration, and the calls of these methods, are outside of this class.
 */
public final class ClusterLocks implements PeerListener {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterLocks.class);

  private static final long POLL_NANOS = 20_000;

  private static final long REST_AFTER_NANOS = 50_000_000;

  /** Longest rest; new work ends it earlier. */
  private static final long REST_NANOS = 100_000_000;

  /** Maximum number of messages that wait to be served; more are dropped. */
  private static final int INBOX_MAX = 1 << 14;

  private final Environment environment;
  private final LockTable table;
  private final PeerNetwork network;
  private final OwnedCopies copies;
  private final long patienceNanos;
  private final LongConsumer onNewerEpoch;
  private final LockService service;
  private final ConcurrentSkipListMap<Integer, CoordinatorLocks> coordinators =
      new ConcurrentSkipListMap<>();
  private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
  private final AtomicInteger inboxSize = new AtomicInteger();

  /** True while a thread uses the service. Other threads leave their work in the inbox. */
  private final AtomicBoolean isServing = new AtomicBoolean();

  /** Resends messages, judges waiting requests, and serves the inbox when no message arrives. */
  private final BackgroundThread thread;

  /**
   * True while the thread parks for long. The thread sets it before its last check for work. A
   * thread that adds work records the work first, and then wakes a resting thread.
   */
  private volatile boolean isResting;

  /** Guards changes of {@link #served}; no thread waits while it holds this lock. */
  private final ReentrantLock changes = new ReentrantLock();

  /** Failure that has ended the service on a message thread; null if there is none. */
  private volatile Throwable failure;

  private volatile boolean isLost;

  private volatile ServedShards served;
  private volatile BitSet revoked = new BitSet();

  /**
   * Creates the locks of a compute node that is in the map, or will be in one of the next maps.
   *
   * @param table lock table of this node's shards; has more than 256 buckets
   * @param copies cached copies of rows whose locks are granted here
   * @param patienceNanos time for which other compute nodes wait for the end of a transaction that
   *     is in hold ({@code RemoteLocks.hold}), before its statement is stopped
   * @param onNewerEpoch receives an epoch that the local map has not reached
   * @param onBroken receives the failure that has ended the service for other compute nodes; a lock
   *     without a holder may remain
   */
  public ClusterLocks(
      Environment environment,
      LockTable table,
      PeerNetwork network,
      ShardMap map,
      OwnedCopies copies,
      long patienceNanos,
      LongConsumer onNewerEpoch,
      Consumer<Throwable> onBroken) {
    if (!table.isExact()) {
      throw new IllegalArgumentException("the lock table needs more than 256 buckets");
    }
    this.environment = environment;
    this.table = table;
    this.network = network;
    this.copies = copies;
    this.patienceNanos = patienceNanos;
    this.onNewerEpoch = onNewerEpoch;
    this.served = new ServedShards(map, network.self(), new BitSet());
    this.service =
        new LockService(environment, table, network, () -> served, copies, LockService.LOCKS_MAX);
    this.thread =
        new BackgroundThread(
            environment,
            "nelumbo-locks",
            this::serve,
            why -> {
              onBroken.accept(why);
              return false;
            });
  }

  /** Starts the service for other compute nodes. */
  public void start() {
    network.listen(this);
    thread.start();
  }

  public void stop() {
    thread.stop();
  }

  /** Ends all waits for locks, since this compute node no longer shares the pool. */
  public void lose() {
    isLost = true;
    for (CoordinatorLocks each : coordinators.values()) {
      each.wake();
    }
  }

  public ShardMap map() {
    return served.map();
  }

  /** Returns the remote locks of a coordinator; each slot has its own. */
  public CoordinatorLocks coordinator(int slot) {
    return coordinators.computeIfAbsent(
        slot,
        number ->
            new CoordinatorLocks(
                environment,
                table,
                network,
                () -> served,
                patienceNanos,
                this::wakeFromRest,
                () -> isLost,
                number));
  }

  // The service for other compute nodes. One thread at a time uses it; no thread waits for that.

  private void serve() {
    long resent = environment.nanoTime();
    long busy = resent;
    while (!thread.isStopped()) {
      if (failure != null) {
        throw new IllegalStateException(
            "requests of other compute nodes can no longer be served", failure);
      }
      long now = environment.nanoTime();
      boolean isDue = now - resent >= CoordinatorLocks.RESEND_NANOS;
      boolean hasWaiting = true;
      if (isServing.compareAndSet(false, true)) {
        drain();
        service.judgeWaiting();
        if (isDue && !revoked.isEmpty()) {
          service.abortHolders(revoked);
        }
        hasWaiting = service.hasWaiting();
        isServing.set(false);
      }
      boolean isBusy = hasWaiting || !inbox.isEmpty();
      if (isDue) {
        resent = now;
        busy = resend() || !revoked.isEmpty() ? now : busy;
      }
      busy = isBusy ? now : busy;
      if (now - busy >= REST_AFTER_NANOS) {
        rest();
      } else {
        environment.parkNanos(isBusy ? POLL_NANOS : CoordinatorLocks.RESEND_NANOS);
      }
    }
  }

  private boolean resend() {
    boolean isUnheard = false;
    for (CoordinatorLocks each : coordinators.values()) {
      isUnheard |= each.resend();
    }
    return isUnheard;
  }

  private void rest() {
    isResting = true;
    boolean isIdle = inbox.isEmpty() && revoked.isEmpty() && !resend();
    environment.parkNanos(isIdle ? REST_NANOS : CoordinatorLocks.RESEND_NANOS);
    isResting = false;
  }

  private void wakeFromRest() {
    if (isResting) {
      thread.wake();
    }
  }

  private void drain() {
    for (Runnable next = inbox.poll(); next != null; next = inbox.poll()) {
      inboxSize.decrementAndGet();
      next.run();
    }
  }

  private void enqueue(Runnable task) {
    inboxSize.incrementAndGet();
    inbox.add(task);
    thread.wake();
  }

  /**
   * Serving on the thread that has received the message is faster than waking another thread. If
   * the service is in use, or a request has to wait, the background thread continues.
   */
  private void serve(Runnable task) {
    inboxSize.incrementAndGet();
    inbox.add(task);
    boolean isLeft = true;
    if (!thread.isStopped() && isServing.compareAndSet(false, true)) {
      try {
        drain();
        isLeft = service.hasWaiting();
        isServing.set(false);
      } catch (RuntimeException | Error e) {
        failure = e;
      }
    }
    if (isLeft || !inbox.isEmpty()) {
      thread.wake();
    }
  }

  @Override
  public void received(PeerId from, ByteBuffer message) {
    try {
      dispatch(from, message);
    } catch (BufferUnderflowException | IllegalArgumentException | NegativeArraySizeException e) {
      LOG.warn("a lock message from {} cannot be read", from, e);
    }
  }

  private void dispatch(PeerId from, ByteBuffer message) {
    byte kind = message.get();
    switch (kind) {
      case MessageKind.REQUEST -> {
        LockRequest request = LockRequest.decode(message);
        if (request.epoch > served.map().epoch()) {
          onNewerEpoch.accept(request.epoch);
        }
        if (inboxSize.get() < INBOX_MAX) {
          serve(() -> service.handle(from, request));
        }
      }
      case MessageKind.REPLY -> hear(from, LockReply.decode(message));
      case MessageKind.ABORT_REQUEST -> requestAbort(from, AbortMessage.decode(kind, message));
      case MessageKind.ABORT_REPLY -> {
        AbortMessage reply = AbortMessage.decode(kind, message);
        serve(() -> service.handle(from, reply));
      }
      case MessageKind.PROBE -> {
        ProbeMessage question = ProbeMessage.decode(kind, message);
        if (inboxSize.get() < INBOX_MAX) {
          serve(() -> service.handle(from, question));
        }
      }
      case MessageKind.PROBED -> {
        ProbeMessage reply = ProbeMessage.decode(kind, message);
        CoordinatorLocks coordinator = coordinators.get(reply.slot());
        if (coordinator != null) {
          coordinator.hear(from, reply);
        }
      }
      default -> throw new IllegalArgumentException("kind=" + kind);
    }
  }

  private void hear(PeerId from, LockReply reply) {
    if (reply.epoch() > served.map().epoch()) {
      onNewerEpoch.accept(reply.epoch());
    }
    CoordinatorLocks coordinator = coordinators.get(reply.slot());
    if (coordinator != null) {
      coordinator.hear(from, reply);
    }
  }

  /** The owner of a shard wants the shard to be free. Replies with the state of the transaction. */
  private void requestAbort(PeerId from, AbortMessage message) {
    CoordinatorLocks coordinator = coordinators.get(message.slot());
    if (coordinator != null) {
      int state = coordinator.latch().requestAbort(message.begin(), environment.nanoTime());
      coordinator.wake();
      ByteBuffer reply = ByteBuffer.allocate(Long.SIZE);
      new AbortMessage(MessageKind.ABORT_REPLY, message.slot(), message.begin(), state)
          .encode(reply);
      network.send(from, reply);
    }
  }

  // Changes of the configuration.

  /**
   * Installs a map, unless it is older than the present one. Aborts transactions that hold locks of
   * shards whose owner has changed, unless they are in hold.
   */
  public void install(ShardMap next) {
    changes.lock();
    try {
      ShardMap before = served.map();
      if (next.epoch() <= before.epoch()) {
        return;
      }
      serve(served.with(next));
      BitSet changed = new BitSet(LockShards.COUNT);
      for (int shard = 0; shard < LockShards.COUNT; shard++) {
        changed.set(shard, next.since(shard) > before.epoch() && before.owner(shard) != null);
      }
      abortLocal(changed);
      dropThawed();
    } finally {
      changes.unlock();
    }
    enqueue(service::dropStrangers);
    for (CoordinatorLocks each : coordinators.values()) {
      each.wake();
    }
  }

  private void abortLocal(BitSet shards) {
    long now = environment.nanoTime();
    for (CoordinatorLocks each : coordinators.values()) {
      each.latch().abortIfLocked(shards, now);
    }
  }

  /**
   * Returns true if no transaction of this compute node is in hold with a lock of a shard without
   * owner. When that is so on every compute node, and the last owner is fenced and recovered, the
   * shard can be given to another one, with no lock held.
   */
  public boolean isDrained() {
    ShardMap map = served.map();
    if (map.isAllOwned()) {
      return true;
    }
    BitSet ownerless = map.ownerless();
    for (CoordinatorLocks each : coordinators.values()) {
      if (each.latch().isHolding(ownerless)) {
        return false;
      }
    }
    return true;
  }

  /** Releases all locks of a compute node that has left in order, or is fenced and recovered. */
  public void releaseHolders(PeerId gone) {
    enqueue(() -> service.releaseAll(gone));
  }

  /** Stops granting locks of shards that are about to move. */
  public void freeze(BitSet shards) {
    change(served -> served.frozen(shards));
  }

  /** Resumes granting locks of shards that stay here. */
  public void thaw(BitSet shards) {
    change(served -> served.thawed(shards));
  }

  private void change(UnaryOperator<ServedShards> how) {
    changes.lock();
    try {
      serve(how.apply(served));
      dropThawed();
    } finally {
      changes.unlock();
    }
  }

  /**
   * A copy of a row must not be older than the time since which its lock is granted here, and must
   * not outlive that. So copies are renewed before more shards are served, and forgotten after
   * fewer are served.
   */
  private void serve(ServedShards next) {
    ServedShards before = served;
    if (next.servesMoreThan(before)) {
      copies.renew();
    }
    served = next;
    if (before.servesMoreThan(next)) {
      copies.forgetShards(key -> !next.isServed(LockShards.of(key)));
    }
  }

  /** Returns true if this compute node grants the lock of a key. */
  public boolean isOwned(long key) {
    return served.isServed(LockShards.of(key));
  }

  private void dropThawed() {
    BitSet left = (BitSet) revoked.clone();
    left.and(served.frozen());
    revoked = left;
  }

  /**
   * Returns those of some shards that can be given to another member: they are frozen, and none of
   * their locks is held. A shard that this compute node did not own when it was to be frozen is not
   * frozen.
   */
  public BitSet free(BitSet shards) {
    BitSet free = served.frozen();
    free.and(shards);
    table.holdsAny(
        key -> {
          free.clear(LockShards.of(key));
          return free.isEmpty();
        });
    return free;
  }

  /** Returns the frozen shards, which are about to move. */
  public BitSet frozen() {
    return served.frozen();
  }

  /**
   * Requests the end of all transactions that hold locks of frozen shards. Transactions in hold
   * keep their locks until they end.
   */
  public void abortHolders(BitSet shards) {
    changes.lock();
    try {
      BitSet more = (BitSet) revoked.clone();
      more.or(shards);
      more.and(served.frozen());
      revoked = more;
      abortLocal(more);
      wakeFromRest();
    } finally {
      changes.unlock();
    }
  }

  /** Returns a copy of the counts of locks of this node's transactions, by owner. */
  public ClusterLockCounts counts() {
    ClusterLockCounts sum = new ClusterLockCounts();
    coordinators.values().forEach(each -> sum.addAll(each.counts()));
    return sum;
  }

  /** Returns the number of locks that other compute nodes hold here. */
  public int grantCount() {
    return service.grantCount();
  }

  @Override
  public String toString() {
    return "locks of " + network.self() + ", " + served.map() + ", held by others: " + service;
  }
}
