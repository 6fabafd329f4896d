package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;

/**
 * A question whether anybody has a lock for writing, and the owner's answer. Nothing is noted of
 * either.
 *
 * <pre>
 * kind 1 | slot 4 | number 8 | key 8 | epoch 8 | locked 1
 * </pre>
 *
 * @param number of the question, told apart by its coordinator
 * @param epoch of the map of who sends it
 * @param isLocked nothing in a question
 */
record ProbeMessage(byte kind, int slot, long number, long key, long epoch, boolean isLocked) {
  ProbeMessage answer(long ownEpoch, boolean locked) {
    return new ProbeMessage(MessageKind.PROBED, slot, number, key, ownEpoch, locked);
  }

  void encode(ByteBuffer to) {
    to.clear();
    to.put(kind).putInt(slot).putLong(number).putLong(key).putLong(epoch);
    to.put((byte) (isLocked ? 1 : 0)).flip();
  }

  /** Reads what follows the first byte. */
  static ProbeMessage decode(byte kind, ByteBuffer from) {
    return new ProbeMessage(
        kind, from.getInt(), from.getLong(), from.getLong(), from.getLong(), from.get() != 0);
  }
}
