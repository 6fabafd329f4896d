package org.nelumbo.dm.redo;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A part of the log on its way to the disk. Many fill it, each a place of its own; when all places
 * that were given are filled, one thread takes it.
 */
final class RedoBuffer {
  private final ByteBuffer bytes;

  /** For who takes them. */
  private final ByteBuffer taken;

  private final AtomicInteger filled = new AtomicInteger();

  RedoBuffer(int capacity) {
    this.bytes = ByteBuffer.allocateDirect(capacity);
    this.taken = bytes.duplicate();
  }

  int capacity() {
    return bytes.capacity();
  }

  /** Fills a place. */
  void fill(int offset, byte[] source, int length) {
    bytes.put(offset, source, 0, length);
    filled.getAndAdd(length);
  }

  /** Whether all of the first bytes are filled. */
  boolean isFilled(int length) {
    return filled.get() == length;
  }

  /** The first bytes, all of them filled. It may be filled again when they have been written. */
  ByteBuffer take(int length) {
    filled.set(0);
    return taken.clear().limit(length);
  }
}
