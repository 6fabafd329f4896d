package org.nelumbo.executor.lock.remote;

import java.util.Arrays;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.LockResult;

/**
 * The messages of a coordinator to one owner of locks that the owner has not acknowledged: one
 * request, and any number of unlocks. Guarded by the mutex of its {@link CoordinatorLocks}.
 */
final class Conversation {
  private final PeerId owner;

  private long[] unlockKeys = new long[4];
  private long[] unlockGrants = new long[4];

  /** Ticket of the first message that contained the unlock, 0 if none has. */
  private long[] unlockTickets = new long[4];

  private int unlocks;
  private long ticket;

  /**
   * Ticket of the first message that reported the end of the last transaction; 0 if acknowledged.
   */
  private long endTicket;

  private long begin;
  private long lastSent;

  // The request.
  private boolean isOpen;
  private long sequence;
  private int locks;
  private int[] keyIndexes = new int[8];

  private byte[] statuses = new byte[8];

  private long[] epochs = new long[8];
  private long[] addresses = new long[8];

  /** Creates an empty conversation. */
  Conversation(PeerId owner) {
    this.owner = owner;
  }

  PeerId owner() {
    return owner;
  }

  boolean isOpen() {
    return isOpen;
  }

  long sequence() {
    return sequence;
  }

  int locks() {
    return locks;
  }

  /** Returns the index of a lock of the request among the caller's keys. */
  int index(int lock) {
    return keyIndexes[lock];
  }

  LockResult result(int lock) {
    return LockResult.of(statuses[lock]);
  }

  /** Returns the owner's epoch when it granted the lock. */
  long epoch(int lock) {
    return epochs[lock];
  }

  /** Returns the address of the row of the lock, 0 if the owner does not have it. */
  long address(int lock) {
    return addresses[lock];
  }

  long lastSent() {
    return lastSent;
  }

  /** Begins a request of a transaction. */
  void open(long newSequence, long transaction) {
    isOpen = true;
    sequence = newSequence;
    begin = transaction;
    locks = 0;
  }

  boolean isFull() {
    return locks == LockRequest.LOCKS_MAX;
  }

  void add(int index) {
    if (locks == keyIndexes.length) {
      statuses = Arrays.copyOf(statuses, 2 * locks);
      epochs = Arrays.copyOf(epochs, 2 * locks);
      addresses = Arrays.copyOf(addresses, 2 * locks);
      // last, since keyIndexes.length is the capacity that is checked
      keyIndexes = Arrays.copyOf(keyIndexes, 2 * locks);
    }
    statuses[locks] = LockResult.WAIT.code();
    keyIndexes[locks++] = index;
  }

  void close() {
    isOpen = false;
  }

  /** Returns true if every lock of the request is decided. */
  boolean isDecided() {
    for (int i = 0; i < locks; i++) {
      if (statuses[i] == LockResult.WAIT.code()) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if the last request belongs to that transaction. */
  boolean isOf(long transaction) {
    return begin == transaction;
  }

  void addUnlock(long key, long grant) {
    if (unlocks == unlockKeys.length) {
      unlockGrants = Arrays.copyOf(unlockGrants, 2 * unlocks);
      unlockTickets = Arrays.copyOf(unlockTickets, 2 * unlocks);
      // last, since unlockKeys.length is the capacity that is checked
      unlockKeys = Arrays.copyOf(unlockKeys, 2 * unlocks);
    }
    unlockKeys[unlocks] = key;
    unlockGrants[unlocks] = grant;
    unlockTickets[unlocks++] = 0;
  }

  /** Ends the transaction: the next message reports it, which releases all locks. */
  void end() {
    unlocks = 0;
    isOpen = false;
    endTicket = ticket + 1;
  }

  /** Drops all messages, since none has to be delivered any longer. */
  void forget() {
    unlocks = 0;
    isOpen = false;
    endTicket = 0;
  }

  /** Returns true if a message is unacknowledged, or has yet to be sent. */
  boolean isUnheard() {
    return unlocks > 0 || endTicket > 0;
  }

  /** Returns true if so many unlocks are unacknowledged that the next message requests a reply. */
  boolean isLong() {
    return unlocks > LockRequest.UNLOCKS_MAX / 2;
  }

  /** Adds the unlocks of this conversation to a message. */
  void write(LockRequest message, long now) {
    message.ticket = ++ticket;
    lastSent = now;
    for (int i = 0; i < Math.min(unlocks, LockRequest.UNLOCKS_MAX); i++) {
      message.addUnlock(unlockKeys[i], unlockGrants[i]);
      if (unlockTickets[i] == 0) {
        unlockTickets[i] = ticket;
      }
    }
  }

  /** Processes a reply of the owner. */
  void hear(LockReply reply) {
    if (reply.ticket() >= endTicket) {
      endTicket = 0;
    }
    int left = 0;
    for (int i = 0; i < unlocks; i++) {
      if (unlockTickets[i] == 0 || unlockTickets[i] > reply.ticket()) {
        unlockKeys[left] = unlockKeys[i];
        unlockGrants[left] = unlockGrants[i];
        unlockTickets[left++] = unlockTickets[i];
      }
    }
    unlocks = left;
    if (isOpen && reply.sequence() == sequence && reply.statuses().length == locks) {
      for (int i = 0; i < locks; i++) {
        if (statuses[i] == LockResult.WAIT.code()) {
          statuses[i] = reply.statuses()[i];
          epochs[i] = reply.epoch();
          addresses[i] = reply.addresses()[i];
        }
      }
    }
  }
}
