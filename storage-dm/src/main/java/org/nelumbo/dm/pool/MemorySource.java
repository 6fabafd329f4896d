package org.nelumbo.dm.pool;

import java.nio.ByteBuffer;

/**
 * The saved content of a node's memory, from its first byte on, in pieces that are verified when
 * they are read. Thread-safe.
 */
public interface MemorySource extends AutoCloseable {
  /** Returns the bytes of all pieces; the memory after them was never allocated and is zero. */
  long bytes();

  /** Returns the bytes of a piece, a multiple of 4096. The last piece may be shorter. */
  int pieceBytes();

  /**
   * Reads a piece.
   *
   * @param offset offset of the piece in the node's memory, a multiple of {@link #pieceBytes}
   * @param target buffer with as many bytes remaining as the piece has
   * @throws FabricException if the piece cannot be read, or is not as it was written
   */
  void read(long offset, ByteBuffer target);

  @Override
  void close();
}
