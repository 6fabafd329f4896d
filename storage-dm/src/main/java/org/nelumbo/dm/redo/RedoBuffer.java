package org.nelumbo.dm.redo;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A part of the log that is to be written. Many threads fill it, each at its own offset; when all
 * reserved ranges are filled, one thread takes it.
 */
final class RedoBuffer {
  private final ByteBuffer bytes;

  /** View for the thread that takes the bytes. */
  private final ByteBuffer taken;

  private final AtomicInteger filled = new AtomicInteger();

  RedoBuffer(int capacity) {
    this.bytes = ByteBuffer.allocateDirect(capacity);
    this.taken = bytes.duplicate();
  }

  int capacity() {
    return bytes.capacity();
  }

  /** Fills a reserved range. */
  void fill(int offset, byte[] source, int length) {
    bytes.put(offset, source, 0, length);
    filled.getAndAdd(length);
  }

  /** Returns true if all of the first bytes are filled. */
  boolean isFilled(int length) {
    return filled.get() == length;
  }

  /**
   * Returns the first bytes, all of which are filled. The buffer may be filled again after they are
   * written.
   */
  ByteBuffer take(int length) {
    filled.set(0);
    return taken.clear().limit(length);
  }
}
