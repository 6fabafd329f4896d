package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.nelumbo.executor.lock.LockMode;

/**
 * A message of a coordinator to an owner of locks, with the locks that it releases and the locks
 * that it requests. Mutable; reused for many messages.
 *
 * <pre>
 * kind 1 | flags 1 | slot 4 | epoch 8 | begin 8 | sequence 8 | ticket 8 | priority 8
 * unlocks 2 | locks 2 | (key 8, sequence of the grant 8) for each unlock | (key 8, operation 1) for each lock
 * </pre>
 *
 * <p>The owner releases all locks that were granted to the slot before {@code begin}, since their
 * transaction has ended. It always processes unlocks; it processes lock requests only if it has not
 * received a message of the slot with a later sequence.
 */
final class LockRequest {
  static final int LOCKS_MAX = 256;
  static final int UNLOCKS_MAX = 64;

  /** The sender waits for a reply, even if it requests no lock. */
  static final int WANTS_REPLY = 1;

  /** The sender waits for collectors only. */
  static final int NO_WAIT = 2;

  /**
   * The single lock is waited for whatever the ages: the sender holds no other one, or the lock is
   * the change lock of a leaf.
   */
  static final int ALONE = 4;

  /**
   * The sender holds no lock, and requests none: it waits until no older transaction has the lock
   * or waits for it. The reply is DIE then.
   */
  static final int AWAITS_OLDER = 8;

  int flags;
  int slot;
  long epoch;
  long begin;
  long sequence;

  /**
   * Number of the message among the slot's messages to one owner; replies contain the latest one
   * that was received.
   */
  long ticket;

  long priority;
  int unlocks;
  long[] unlockKeys = new long[0];
  long[] unlockSequences = new long[0];
  int locks;
  long[] keys = new long[0];
  byte[] operations = new byte[0];

  void clear() {
    unlocks = 0;
    locks = 0;
    flags = 0;
  }

  void addUnlock(long key, long grant) {
    if (unlocks == unlockKeys.length) {
      reserve(2 * unlocks + 4, locks);
    }
    unlockKeys[unlocks] = key;
    unlockSequences[unlocks++] = grant;
  }

  void addLock(long key, byte operation) {
    if (locks == keys.length) {
      reserve(unlocks, 2 * locks + 4);
    }
    keys[locks] = key;
    operations[locks++] = operation;
  }

  private void reserve(int moreUnlocks, int moreLocks) {
    if (moreUnlocks > unlockKeys.length) {
      unlockSequences = Arrays.copyOf(unlockSequences, moreUnlocks);
      // last, since unlockKeys.length is the capacity that is checked
      unlockKeys = Arrays.copyOf(unlockKeys, moreUnlocks);
    }
    if (moreLocks > keys.length) {
      operations = Arrays.copyOf(operations, moreLocks);
      // last, since keys.length is the capacity that is checked
      keys = Arrays.copyOf(keys, moreLocks);
    }
  }

  void encode(ByteBuffer to) {
    to.clear();
    to.put(MessageKind.REQUEST).put((byte) flags).putInt(slot).putLong(epoch).putLong(begin);
    to.putLong(sequence).putLong(ticket).putLong(priority);
    to.putShort((short) unlocks).putShort((short) locks);
    for (int i = 0; i < unlocks; i++) {
      to.putLong(unlockKeys[i]).putLong(unlockSequences[i]);
    }
    for (int i = 0; i < locks; i++) {
      to.putLong(keys[i]).put(operations[i]);
    }
    to.flip();
  }

  /** Decodes the bytes after the first one. */
  static LockRequest decode(ByteBuffer from) {
    LockRequest request = new LockRequest();
    request.flags = from.get();
    request.slot = from.getInt();
    request.epoch = from.getLong();
    request.begin = from.getLong();
    request.sequence = from.getLong();
    request.ticket = from.getLong();
    request.priority = from.getLong();
    int unlocks = from.getShort();
    int locks = from.getShort();
    if (unlocks < 0 || unlocks > UNLOCKS_MAX || locks < 0 || locks > LOCKS_MAX) {
      throw new IllegalArgumentException("unlocks=" + unlocks + " locks=" + locks);
    }
    request.reserve(unlocks, locks);
    for (int i = 0; i < unlocks; i++) {
      request.addUnlock(from.getLong(), from.getLong());
    }
    for (int i = 0; i < locks; i++) {
      long key = from.getLong();
      byte operation = from.get();
      if (operation < LockMode.READ.code() || operation > LockMode.CHANGE.code()) {
        throw new IllegalArgumentException("operation=" + operation);
      }
      request.addLock(key, operation);
    }
    return request;
  }
}
