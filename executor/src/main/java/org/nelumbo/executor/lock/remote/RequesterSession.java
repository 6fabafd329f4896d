package org.nelumbo.executor.lock.remote;

import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.LockResult;

/**
 * The state that an owner of locks keeps for one coordinator of another compute node: the locks it
 * holds, and its last request with the results. Used by the thread that serves locks.
 */
final class RequesterSession {
  private final PeerId peer;
  private final int slot;
  private final GrantSet grants = new GrantSet();
  private long begin;
  private long ticket;
  private LockRequest request = new LockRequest();

  private byte[] statuses = new byte[0];

  private long[] addresses = new long[0];
  private long holder;

  /**
   * Arrival time of the request; {@link #behindSince} is the time since which it waits behind an
   * older waiter, 0 if it does not.
   */
  private long since;

  private long behindSince;

  /** Index of the lock of the request for which the session is announced, -1 if there is none. */
  private int announced = -1;

  RequesterSession(PeerId peer, int slot) {
    this.peer = peer;
    this.slot = slot;
  }

  PeerId peer() {
    return peer;
  }

  int slot() {
    return slot;
  }

  GrantSet grants() {
    return grants;
  }

  LockRequest request() {
    return request;
  }

  /** Returns the number of the transaction that holds these locks. */
  long begin() {
    return begin;
  }

  /** Returns true if a message belongs to a later transaction. */
  boolean isBefore(LockRequest message) {
    return begin < message.begin;
  }

  void beginTransaction(long newBegin) {
    begin = newBegin;
  }

  /** Returns true if a later request has already arrived. */
  boolean isOld(LockRequest message) {
    return message.sequence < request.sequence;
  }

  /** Returns true if the message repeats the present request. */
  boolean isKnown(LockRequest message) {
    return message.sequence == request.sequence;
  }

  void see(long messageTicket) {
    ticket = Math.max(ticket, messageTicket);
  }

  void setRequest(LockRequest newRequest, long now) {
    request = newRequest;
    statuses = new byte[newRequest.locks];
    addresses = new long[newRequest.locks];
    holder = 0;
    since = now;
    behindSince = 0;
  }

  LockResult result(int lock) {
    return LockResult.of(statuses[lock]);
  }

  void setResult(int lock, LockResult result) {
    statuses[lock] = result.code();
  }

  /** Sets the address of the row of a granted lock. */
  void setAddress(int lock, long cvt) {
    addresses[lock] = cvt;
  }

  void setHolder(long priority) {
    holder = priority;
  }

  /** Refuses the locks of the request that are still waiting. */
  void refuseWaiting() {
    for (int i = 0; i < statuses.length; i++) {
      if (statuses[i] == LockResult.WAIT.code()) {
        statuses[i] = LockResult.DIE.code();
      }
    }
  }

  boolean isWaiting() {
    for (byte status : statuses) {
      if (status == LockResult.WAIT.code()) {
        return true;
      }
    }
    return false;
  }

  long since() {
    return since;
  }

  long behindSince() {
    return behindSince;
  }

  void setBehindSince(long time) {
    behindSince = time;
  }

  int announced() {
    return announced;
  }

  void setAnnounced(int lock) {
    announced = lock;
  }

  LockReply reply(long epoch, long sequence) {
    boolean isKnown = sequence == request.sequence;
    byte[] of = isKnown ? statuses.clone() : new byte[0];
    long[] rows = isKnown ? addresses.clone() : new long[0];
    return new LockReply(slot, epoch, sequence, ticket, holder, of, rows);
  }

  @Override
  public String toString() {
    return peer + " slot " + slot + " transaction " + begin + ": " + grants.size() + " locks";
  }
}
