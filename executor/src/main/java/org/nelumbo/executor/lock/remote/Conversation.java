package org.nelumbo.executor.lock.remote;

import java.util.Arrays;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.LockResult;

/**
 * What a coordinator has asked of one owner of locks, and has not been told yet: one request, and
 * any number of unlocks. Guarded by the mutex of its {@link CoordinatorLocks}.
 */
final class Conversation {
  private final PeerId owner;

  private long[] unlockKeys = new long[4];
  private long[] unlockGrants = new long[4];

  /** Ticket of the first message that had the unlock, 0 for none. */
  private long[] unlockTickets = new long[4];

  private int unlocks;
  private long ticket;

  /** Ticket of the first message that told of the end of the last transaction; 0 if seen. */
  private long endTicket;

  private long begin;
  private long lastSent;

  // The request.
  private boolean isOpen;
  private long sequence;
  private int locks;
  private int[] places = new int[8];

  /** Codes of the results. */
  private byte[] statuses = new byte[8];

  private long[] epochs = new long[8];
  private long[] addresses = new long[8];

  /** A conversation in which nothing was said. */
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

  /** Which of the caller's keys a lock of the request is. */
  int place(int lock) {
    return places[lock];
  }

  LockResult result(int lock) {
    return LockResult.of(statuses[lock]);
  }

  /** The owner's epoch when it granted the lock. */
  long epoch(int lock) {
    return epochs[lock];
  }

  /** Where the row of the lock is, 0 if the owner does not know. */
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

  void add(int place) {
    if (locks == places.length) {
      statuses = Arrays.copyOf(statuses, 2 * locks);
      epochs = Arrays.copyOf(epochs, 2 * locks);
      addresses = Arrays.copyOf(addresses, 2 * locks);
      // The last one, since its length decides whether they have grown.
      places = Arrays.copyOf(places, 2 * locks);
    }
    statuses[locks] = LockResult.WAIT.code();
    places[locks++] = place;
  }

  void close() {
    isOpen = false;
  }

  /** Whether every lock of the request is decided. */
  boolean isDecided() {
    for (int i = 0; i < locks; i++) {
      if (statuses[i] == LockResult.WAIT.code()) {
        return false;
      }
    }
    return true;
  }

  /** Whether anything was asked for by that transaction. */
  boolean isOf(long transaction) {
    return begin == transaction;
  }

  void addUnlock(long key, long grant) {
    if (unlocks == unlockKeys.length) {
      unlockGrants = Arrays.copyOf(unlockGrants, 2 * unlocks);
      unlockTickets = Arrays.copyOf(unlockTickets, 2 * unlocks);
      // The last one, since its length decides whether they have grown.
      unlockKeys = Arrays.copyOf(unlockKeys, 2 * unlocks);
    }
    unlockKeys[unlocks] = key;
    unlockGrants[unlocks] = grant;
    unlockTickets[unlocks++] = 0;
  }

  /** The transaction has ended: the next message says so, and gives back all there is. */
  void end() {
    unlocks = 0;
    isOpen = false;
    endTicket = ticket + 1;
  }

  /** Nothing has to be said any more. */
  void forget() {
    unlocks = 0;
    isOpen = false;
    endTicket = 0;
  }

  /** Whether something was said that may not have been heard, or still has to be said. */
  boolean isUnheard() {
    return unlocks > 0 || endTicket > 0;
  }

  /** Whether so much is unheard that the next message asks for an answer. */
  boolean isLong() {
    return unlocks > LockRequest.UNLOCKS_MAX / 2;
  }

  /** Fills in what this adds to a message. */
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

  /** The owner has answered. */
  void hear(LockAnswer answer) {
    if (answer.ticket() >= endTicket) {
      endTicket = 0;
    }
    int left = 0;
    for (int i = 0; i < unlocks; i++) {
      if (unlockTickets[i] == 0 || unlockTickets[i] > answer.ticket()) {
        unlockKeys[left] = unlockKeys[i];
        unlockGrants[left] = unlockGrants[i];
        unlockTickets[left++] = unlockTickets[i];
      }
    }
    unlocks = left;
    if (isOpen && answer.sequence() == sequence && answer.statuses().length == locks) {
      for (int i = 0; i < locks; i++) {
        if (statuses[i] == LockResult.WAIT.code()) {
          statuses[i] = answer.statuses()[i];
          epochs[i] = answer.epoch();
          addresses[i] = answer.addresses()[i];
        }
      }
    }
  }
}
