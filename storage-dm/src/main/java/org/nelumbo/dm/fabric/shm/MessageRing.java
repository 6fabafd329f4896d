package org.nelumbo.dm.fabric.shm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;

/**
 * A ring buffer for messages from one process to another, in memory that both have mapped. The
 * sender writes a message behind the last one, and then the tail; so if it fails before that,
 * nothing is sent. The receiver advances the head. A message that does not fit is lost. Used by one
 * sender and one receiver at a time.
 *
 * <pre>
 *  0  length of the message (4) | number of the sending compute node (4) | its incarnation (8)
 * 16  number of the receiving compute node (4) | 0 (4) | its incarnation (8)
 * 32  the message, padded to a multiple of 8 bytes
 * </pre>
 */
final class MessageRing {
  private static final VarHandle WORD = JAVA_LONG.varHandle();
  private static final int HEADER_LENGTH = 32;
  private static final int MASK = TenantFileLayout.RING_BYTES - 1;

  private final MemorySegment ring;
  private final MemorySegment bytes;

  /** Creates the ring in the receiver's area for the sender with a slot index. */
  MessageRing(MemorySegment area, int sender) {
    this.ring = area.asSlice(TenantFileLayout.ring(sender), TenantFileLayout.RING_LENGTH);
    this.bytes = ring.asSlice(TenantFileLayout.RING_BYTES_OFFSET, TenantFileLayout.RING_BYTES);
  }

  private long head() {
    return (long) WORD.getAcquire(ring, TenantFileLayout.RING_HEAD);
  }

  private long tail() {
    return (long) WORD.getAcquire(ring, TenantFileLayout.RING_TAIL);
  }

  /** Appends a message; returns false if it does not fit. */
  boolean offer(PeerId from, PeerId to, ByteBuffer message) {
    long tail = tail();
    int length = message.remaining();
    int whole = HEADER_LENGTH + (length + 7 & -8);
    long used = tail - head();
    if (used < 0 || used + whole > TenantFileLayout.RING_BYTES) {
      return false;
    }
    bytes.set(JAVA_INT, at(tail), length);
    bytes.set(JAVA_INT, at(tail) + 4, from.node());
    bytes.set(JAVA_LONG, at(tail + 8), from.incarnation());
    bytes.set(JAVA_INT, at(tail + 16), to.node());
    bytes.set(JAVA_LONG, at(tail + 24), to.incarnation());
    int begin = at(tail + HEADER_LENGTH);
    int first = Math.min(length, TenantFileLayout.RING_BYTES - begin);
    MemorySegment source = MemorySegment.ofBuffer(message);
    MemorySegment.copy(source, 0, bytes, begin, first);
    MemorySegment.copy(source, first, bytes, 0, length - first);
    WORD.setRelease(ring, TenantFileLayout.RING_TAIL, tail + whole);
    return true;
  }

  private static int at(long position) {
    return (int) position & MASK;
  }

  /** Discards all messages. */
  private void clear() {
    WORD.setRelease(ring, TenantFileLayout.RING_HEAD, tail());
  }

  /** Consumer of messages; the buffer is reused when the call returns. */
  interface Receiver {
    void received(PeerId from, PeerId to, ByteBuffer message);
  }

  /**
   * Removes all messages and passes them to the receiver.
   *
   * @param buffer buffer for one message, of {@link PeerNetwork#MESSAGE_BYTES_MAX} bytes
   */
  void drain(byte[] buffer, Receiver receiver) {
    long head = head();
    for (long tail = tail(); head < tail; tail = tail()) {
      int length = bytes.get(JAVA_INT, at(head));
      PeerId from =
          new PeerId(bytes.get(JAVA_INT, at(head) + 4), bytes.get(JAVA_LONG, at(head + 8)));
      PeerId to =
          new PeerId(bytes.get(JAVA_INT, at(head + 16)), bytes.get(JAVA_LONG, at(head + 24)));
      if (length < 0 || length > buffer.length) {
        clear(); // only a process that violates the protocol writes that
        return;
      }
      int begin = at(head + HEADER_LENGTH);
      int first = Math.min(length, TenantFileLayout.RING_BYTES - begin);
      MemorySegment.copy(bytes, JAVA_BYTE, begin, buffer, 0, first);
      MemorySegment.copy(bytes, JAVA_BYTE, 0, buffer, first, length - first);
      head += HEADER_LENGTH + (length + 7 & -8);
      WORD.setRelease(ring, TenantFileLayout.RING_HEAD, head);
      receiver.received(from, to, ByteBuffer.wrap(buffer, 0, length));
    }
  }
}
