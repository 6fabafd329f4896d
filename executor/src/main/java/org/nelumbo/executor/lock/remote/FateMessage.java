package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;

/**
 * About one transaction that holds locks of a shard that is to move: its owner dooms it, and is
 * told what has become of it.
 *
 * <pre>
 * kind 1 | slot 4 | begin 8 | state 1
 * </pre>
 *
 * @param begin number of the transaction
 * @param state one of {@link TransactionFate}; not looked at when it is being doomed
 */
record FateMessage(byte kind, int slot, long begin, int state) {
  void encode(ByteBuffer to) {
    to.clear();
    to.put(kind).putInt(slot).putLong(begin).put((byte) state).flip();
  }

  /** Reads what follows the first byte. */
  static FateMessage decode(byte kind, ByteBuffer from) {
    return new FateMessage(kind, from.getInt(), from.getLong(), from.get());
  }
}
