package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;

/**
 * A probe for a write lock, or the owner's reply to it. Neither side keeps state about it.
 *
 * <pre>
 * kind 1 | slot 4 | number 8 | key 8 | epoch 8 | locked 1
 * </pre>
 *
 * @param number number of the probe, unique within its coordinator
 * @param epoch epoch of the sender's map
 * @param isLocked true if the lock is held for writing; unused in a probe
 */
record ProbeMessage(byte kind, int slot, long number, long key, long epoch, boolean isLocked) {
  ProbeMessage reply(long ownEpoch, boolean locked) {
    return new ProbeMessage(MessageKind.PROBED, slot, number, key, ownEpoch, locked);
  }

  void encode(ByteBuffer to) {
    to.clear();
    to.put(kind).putInt(slot).putLong(number).putLong(key).putLong(epoch);
    to.put((byte) (isLocked ? 1 : 0)).flip();
  }

  /** Decodes the bytes after the first one. */
  static ProbeMessage decode(byte kind, ByteBuffer from) {
    return new ProbeMessage(
        kind, from.getInt(), from.getLong(), from.getLong(), from.getLong(), from.get() != 0);
  }
}
