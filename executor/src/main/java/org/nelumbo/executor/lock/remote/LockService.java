package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockResult;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.Priority;
import org.nelumbo.executor.lock.RemoteLocks;

/**
 * Grants locks of this compute node's shards to transactions of other compute nodes. The lock table
 * decides, so local and remote transactions conflict in one table; this class records the remote
 * holders, by compute node and coordinator.
 *
 * <p><b>Waiting</b> follows wait-die, as in {@code LockWaiter}. A request that is older than the
 * holders waits here. Waiting requests are judged repeatedly, the oldest first, so a request that
 * is overtaken by an older holder gets DIE. A request that has waited long is announced in the lock
 * table, which keeps younger transactions away, local ones too.
 *
 * <p>Used by one thread at a time, which never blocks here.
 */
final class LockService {
  /** Maximum number of locks that remote transactions hold or wait for; more are refused. */
  static final int LOCKS_MAX = 1 << 20;

  /** Time of waiting after which younger transactions are kept away. */
  private static final long PATIENCE_NANOS = 50_000;

  /** Time for which a transaction that holds locks waits behind an older one. */
  private static final long BEHIND_NANOS = 10_000_000;

  private final Environment environment;
  private final LockTable table;
  private final PeerNetwork network;
  private final Supplier<ServedShards> served;
  private final OwnedCopies copies;
  private final int locksMax;
  private final Map<PeerId, Map<Integer, RequesterSession>> sessions = new HashMap<>();

  /** Sessions whose request waits, the oldest first. */
  private final List<RequesterSession> waiting = new ArrayList<>();

  private final ByteBuffer buffer = ByteBuffer.allocate(PeerNetwork.MESSAGE_BYTES_MAX);
  private int grantCount;

  /**
   * Creates a service without sessions.
   *
   * @param served supplies the shards whose locks are granted at present
   * @param copies cached copies of rows whose locks are granted here
   */
  LockService(
      Environment environment,
      LockTable table,
      PeerNetwork network,
      Supplier<ServedShards> served,
      OwnedCopies copies,
      int locksMax) {
    this.environment = environment;
    this.table = table;
    this.network = network;
    this.served = served;
    this.copies = copies;
    this.locksMax = locksMax;
  }

  // Messages.

  void handle(PeerId from, LockRequest message) {
    ShardMap map = served.get().map();
    if (!map.isMember(from)) {
      refuseStranger(from, message, map);
      return;
    }
    RequesterSession session =
        sessions
            .computeIfAbsent(from, _ -> new HashMap<>())
            .computeIfAbsent(message.slot, slot -> new RequesterSession(from, slot));
    session.see(message.ticket);
    unlock(session, message);
    if (session.isBefore(message)) {
      session.beginTransaction(message.begin);
      releaseBefore(session, message.begin);
    }
    boolean isNew = !session.isOld(message) && !session.isKnown(message);
    if (isNew) {
      stopWaiting(session);
      session.setRequest(message, environment.nanoTime());
      judge(session);
      if (session.isWaiting()) {
        enqueue(session);
      }
    }
    boolean wantsStatus = message.locks > 0 && (isNew || session.isKnown(message));
    if (wantsStatus || (message.flags & LockRequest.WANTS_REPLY) != 0 && message.locks == 0) {
      reply(session, message.sequence);
    }
  }

  /**
   * Nothing may be granted or confirmed, since no session is kept of a compute node that is not a
   * member.
   */
  private void refuseStranger(PeerId from, LockRequest message, ShardMap map) {
    if (message.locks > 0) {
      byte[] statuses = new byte[message.locks];
      Arrays.fill(statuses, LockResult.NOT_OWNER.code());
      new LockReply(
              message.slot,
              map.epoch(),
              message.sequence,
              0,
              0,
              statuses,
              new long[statuses.length])
          .encode(buffer);
      network.send(from, buffer);
    }
  }

  private void reply(RequesterSession session, long sequence) {
    session.reply(served.get().map().epoch(), sequence).encode(buffer);
    network.send(session.peer(), buffer);
  }

  private void unlock(RequesterSession session, LockRequest message) {
    GrantSet grants = session.grants();
    for (int i = 0; i < message.unlocks; i++) {
      int at = grants.find(message.unlockKeys[i]);
      if (at >= 0 && grants.isOf(at, message.unlockSequences[i])) {
        release(grants, at);
      }
    }
  }

  private void release(GrantSet grants, int at) {
    if (grants.mode(at) == LockMode.WRITE) {
      copies.written(grants.key(at)); // readers that ran meanwhile must not cache the row
    }
    table.release(grants.key(at), grants.mode(at));
    grants.remove(at);
    grantCount--;
  }

  private void releaseBefore(RequesterSession session, long sequence) {
    GrantSet grants = session.grants();
    for (int at = 0; grants.size() > 0 && at < grants.capacity(); ) {
      if (grants.isTaken(at) && grants.sequence(at) < sequence) {
        release(grants, at); // the position may hold another lock now
      } else {
        at++;
      }
    }
  }

  // Judging.

  private boolean judge(RequesterSession session) {
    LockRequest request = session.request();
    boolean isChanged = false;
    for (int i = 0; i < request.locks; i++) {
      if (session.result(i) == LockResult.WAIT) {
        LockResult result = judge(session, i);
        session.setResult(i, result);
        isChanged |= result != LockResult.WAIT;
        if (result == LockResult.DIE || result == LockResult.FULL) {
          session.refuseWaiting();
        }
      }
    }
    return isChanged;
  }

  private LockResult judge(RequesterSession session, int lock) {
    LockRequest request = session.request();
    long key = request.keys[lock];
    int shard = LockShards.of(key);
    if (!mayServe(shard, request.epoch)) {
      return LockResult.NOT_OWNER;
    }
    if ((request.flags & LockRequest.AWAITS_OLDER) != 0) {
      return table.hasOlder(key, request.priority) ? LockResult.WAIT : LockResult.DIE;
    }
    byte operation = request.operations[lock];
    GrantSet grants = session.grants();
    int at = grants.find(key);
    boolean upgrade = operation == RemoteLocks.UPGRADE;
    if (upgrade && (at < 0 || grants.mode(at) != LockMode.READ)) {
      return LockResult.DIE;
    }
    if (!upgrade && at >= 0) {
      // It was granted to a request whose reply was abandoned.
      release(grants, at);
    }
    if (!upgrade && grantCount >= locksMax) {
      return LockResult.FULL;
    }
    LockResult result =
        upgrade
            ? table.tryUpgrade(key, request.priority)
            : table.tryAcquire(key, LockMode.of(operation), request.priority);
    if (result == LockResult.GRANTED) {
      return granted(session, lock, RemoteLocks.mode(operation), upgrade);
    }
    session.setHolder(table.holderPriority(key));
    return mayWait(session, key, result) ? LockResult.WAIT : LockResult.DIE;
  }

  private LockResult granted(RequesterSession session, int lock, LockMode mode, boolean upgrade) {
    LockRequest request = session.request();
    long key = request.keys[lock];
    if (!mayServe(LockShards.of(key), request.epoch) && !upgrade) {
      table.release(key, mode);
      return LockResult.NOT_OWNER;
    }
    GrantSet grants = session.grants();
    if (upgrade) {
      grants.add(key, mode, grants.sequence(grants.find(key)), 0);
    } else {
      grants.add(key, mode, request.sequence, 0);
      grantCount++;
    }
    session.setAddress(lock, copies.address(key));
    if (mode == LockMode.WRITE || mode == LockMode.CHANGE) {
      written(key, request.priority);
    }
    return LockResult.GRANTED;
  }

  /**
   * Drops the address of the CVT, too, for a collector: only collectors retire the CVTs of rows
   * that others may have found.
   */
  private void written(long key, long priority) {
    if (Priority.isOfCollector(priority)) {
      copies.forget(key);
    } else {
      copies.written(key);
    }
  }

  /**
   * Returns true if this compute node owns a shard by its own map, and the requester has no later
   * map.
   */
  private boolean mayServe(int shard, long requesterEpoch) {
    ServedShards now = served.get();
    return requesterEpoch <= now.map().epoch() && now.isServed(shard);
  }

  private boolean mayWait(RequesterSession session, long key, LockResult result) {
    if (result == LockResult.CHANGING) {
      return true;
    }
    int flags = session.request().flags;
    if ((flags & LockRequest.NO_WAIT) != 0) {
      return result == LockResult.WAIT && Priority.isOfCollector(table.holderPriority(key));
    }
    if ((flags & LockRequest.ALONE) != 0 || result == LockResult.WAIT) {
      session.setBehindSince(0);
      return true;
    }
    long now = environment.nanoTime();
    if (result == LockResult.BEHIND && session.behindSince() == 0) {
      session.setBehindSince(now);
    }
    return result == LockResult.BEHIND && now - session.behindSince() < BEHIND_NANOS;
  }

  // Waiting.

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  private void enqueue(RequesterSession session) {
    int at = waiting.size();
    while (at > 0 && session.request().priority - waiting.get(at - 1).request().priority < 0) {
      at--;
    }
    waiting.add(at, session);
  }

  private void stopWaiting(RequesterSession session) {
    withdraw(session);
    waiting.remove(session);
  }

  private void withdraw(RequesterSession session) {
    if (session.announced() >= 0) {
      table.withdraw(session.request().keys[session.announced()]);
      session.setAnnounced(-1);
    }
  }

  /** Judges all waiting requests, and replies to each request with a new result. */
  void judgeWaiting() {
    long now = environment.nanoTime();
    for (Iterator<RequesterSession> all = waiting.iterator(); all.hasNext(); ) {
      RequesterSession session = all.next();
      boolean isChanged = judge(session);
      int announced = session.announced();
      if (announced >= 0 && session.result(announced) != LockResult.WAIT) {
        withdraw(session);
      }
      if (!session.isWaiting()) {
        all.remove();
      } else if (session.announced() < 0 && now - session.since() > PATIENCE_NANOS) {
        announce(session);
      }
      if (isChanged) {
        reply(session, session.request().sequence);
      }
    }
  }

  private void announce(RequesterSession session) {
    LockRequest request = session.request();
    if (session.behindSince() != 0 || (request.flags & LockRequest.NO_WAIT) != 0) {
      return;
    }
    for (int i = 0; i < request.locks && session.announced() < 0; i++) {
      if (session.result(i) == LockResult.WAIT
          && table.announce(request.keys[i], request.priority)) {
        session.setAnnounced(i);
      }
    }
  }

  // Probes.

  /** Replies to a probe for a write lock if this compute node owns the lock. */
  void handle(PeerId from, ProbeMessage question) {
    boolean isLocked = table.isWriteLocked(question.key());
    if (mayServe(LockShards.of(question.key()), question.epoch())) {
      question.reply(served.get().map().epoch(), isLocked).encode(buffer);
      network.send(from, buffer);
    }
  }

  // Members and shards that leave.

  /**
   * Refuses waiting requests of compute nodes that are not members of the map. Their locks stay.
   */
  void dropStrangers() {
    ShardMap map = served.get().map();
    for (Iterator<RequesterSession> all = waiting.iterator(); all.hasNext(); ) {
      RequesterSession session = all.next();
      if (!map.isMember(session.peer())) {
        session.refuseWaiting();
        withdraw(session);
        all.remove();
      }
    }
  }

  /** Releases all locks of a compute node that has left in order, or is fenced and recovered. */
  void releaseAll(PeerId gone) {
    Map<Integer, RequesterSession> ended = sessions.remove(gone);
    if (ended != null) {
      for (RequesterSession session : ended.values()) {
        stopWaiting(session);
        releaseBefore(session, Long.MAX_VALUE);
      }
    }
  }

  /** Requests the abort of remote transactions that hold locks of these shards. */
  void abortHolders(BitSet shards) {
    sessions.values().stream()
        .flatMap(each -> each.values().stream())
        .filter(each -> each.grants().any(key -> shards.get(LockShards.of(key))))
        .forEach(
            each -> {
              new AbortMessage(MessageKind.ABORT_REQUEST, each.slot(), each.begin(), 0)
                  .encode(buffer);
              network.send(each.peer(), buffer);
            });
  }

  /**
   * Processes the reply to an abort request: releases the locks of the transaction if they are
   * revoked or it has ended, that is, unless it is in hold.
   */
  void handle(PeerId from, AbortMessage message) {
    Map<Integer, RequesterSession> of = sessions.get(from);
    RequesterSession session = of == null ? null : of.get(message.slot());
    if (session != null
        && session.begin() == message.begin()
        && (message.state() == CommitLatch.REVOKED || message.state() == CommitLatch.ENDED)) {
      releaseBefore(session, Long.MAX_VALUE);
    }
  }

  /** Returns the number of locks that other compute nodes hold. */
  int grantCount() {
    return grantCount;
  }

  /** Returns the number of locks of each remote holder. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Map<Integer, RequesterSession> each : sessions.values()) {
      for (RequesterSession session : each.values()) {
        if (session.grants().size() > 0) {
          text.append(session).append(' ');
        }
      }
    }
    return text.toString();
  }
}
