package org.nelumbo.dm.pool;

import java.nio.ByteBuffer;

/**
 * What the memory of a node held once, from its first byte on, in pieces that are checked when they
 * are read. Thread-safe.
 */
public interface MemorySource extends AutoCloseable {
  /** Bytes of all pieces; what lies behind them was never handed out, and is zero. */
  long bytes();

  /** Bytes of a piece; a multiple of 4096. The last one may have fewer. */
  int pieceBytes();

  /**
   * Reads a piece.
   *
   * @param offset where it begins in the node's memory, a multiple of {@link #pieceBytes}
   * @param target has as many bytes left as the piece has
   * @throws FabricException if it cannot be read, or is not as it was written
   */
  void read(long offset, ByteBuffer target);

  @Override
  void close();
}
