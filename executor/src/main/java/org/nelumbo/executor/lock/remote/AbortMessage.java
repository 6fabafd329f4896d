package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;

/**
 * A message about one transaction that holds locks of a shard that is about to move: the owner of
 * the shard requests its abort, and gets a reply with the state of the transaction.
 *
 * <pre>
 * kind 1 | slot 4 | begin 8 | state 1
 * </pre>
 *
 * @param begin number of the transaction
 * @param state one of the states of {@link CommitLatch}; ignored in an abort request
 */
record AbortMessage(byte kind, int slot, long begin, int state) {
  void encode(ByteBuffer to) {
    to.clear();
    to.put(kind).putInt(slot).putLong(begin).put((byte) state).flip();
  }

  /** Decodes the bytes after the first one. */
  static AbortMessage decode(byte kind, ByteBuffer from) {
    return new AbortMessage(kind, from.getInt(), from.getLong(), from.get());
  }
}
