package org.nelumbo.executor.lock.remote;

import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.LockResult;

/**
 * What an owner of locks knows of one coordinator of another compute node: what it holds, and the
 * request that came last, with what has become of it. For whoever serves locks.
 */
final class RequesterSession {
  private final PeerId peer;
  private final int slot;
  private final GrantSet grants = new GrantSet();
  private long begin;
  private long ticket;
  private LockRequest request = new LockRequest();

  /** Codes of the results of the request. */
  private byte[] statuses = new byte[0];

  private long[] addresses = new long[0];
  private long holder;

  /** When the request came, when it began to wait behind somebody (0: it does not). */
  private long since;

  private long behindSince;

  /** The lock of the request for which it is announced, -1 if for none. */
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

  /** Number of the transaction whose locks these are. */
  long begin() {
    return begin;
  }

  /** Whether a message tells of a later transaction. */
  boolean isBefore(LockRequest message) {
    return begin < message.begin;
  }

  void beginTransaction(long newBegin) {
    begin = newBegin;
  }

  /** Whether a later request has come already. */
  boolean isOld(LockRequest message) {
    return message.sequence < request.sequence;
  }

  /** Whether it is the request that is known, once more. */
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

  /** Where the row of a lock is that is granted. */
  void setAddress(int lock, long cvt) {
    addresses[lock] = cvt;
  }

  void setHolder(long priority) {
    holder = priority;
  }

  /** Nothing of the request that waits is granted any more. */
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

  LockAnswer answer(long epoch, long sequence) {
    boolean isKnown = sequence == request.sequence;
    byte[] of = isKnown ? statuses.clone() : new byte[0];
    long[] rows = isKnown ? addresses.clone() : new long[0];
    return new LockAnswer(slot, epoch, sequence, ticket, holder, of, rows);
  }

  @Override
  public String toString() {
    return peer + " slot " + slot + " transaction " + begin + ": " + grants.size() + " locks";
  }
}
