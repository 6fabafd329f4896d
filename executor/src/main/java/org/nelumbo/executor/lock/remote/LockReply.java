package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;
import org.nelumbo.executor.lock.LockResult;

/**
 * The reply of an owner of locks: the result for each lock of a request.
 *
 * <pre>
 * kind 1 | slot 4 | epoch 8 | sequence 8 | ticket 8 | holder 8 | locks 2
 * status 1 for each lock | address 8 for each lock
 * </pre>
 *
 * @param epoch epoch of the owner's map
 * @param sequence number of the request
 * @param ticket the latest of the slot's messages that the owner has received
 * @param holder priority of a conflicting transaction, 0 if there was none
 * @param statuses codes of the {@link LockResult}s of the locks
 * @param addresses addresses of the CVTs of the locked rows where the owner has them, else 0; as
 *     many as statuses
 */
record LockReply(
    int slot,
    long epoch,
    long sequence,
    long ticket,
    long holder,
    byte[] statuses,
    long[] addresses) {
  void encode(ByteBuffer to) {
    to.clear();
    to.put(MessageKind.REPLY).putInt(slot).putLong(epoch).putLong(sequence).putLong(ticket);
    to.putLong(holder).putShort((short) statuses.length).put(statuses);
    for (long address : addresses) {
      to.putLong(address);
    }
    to.flip();
  }

  /** Decodes the bytes after the first one. */
  static LockReply decode(ByteBuffer from) {
    int slot = from.getInt();
    long epoch = from.getLong();
    long sequence = from.getLong();
    long ticket = from.getLong();
    long holder = from.getLong();
    byte[] statuses = new byte[from.getShort()];
    from.get(statuses);
    for (byte status : statuses) {
      if (!LockResult.isCode(status)) {
        throw new IllegalArgumentException("status=" + status);
      }
    }
    long[] addresses = new long[statuses.length];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = from.getLong();
    }
    return new LockReply(slot, epoch, sequence, ticket, holder, statuses, addresses);
  }
}
