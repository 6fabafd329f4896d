package org.nelumbo.dm.pool;

import java.nio.ByteBuffer;

/** Fills a memory node by verbs. */
final class MemoryFill {
  private static final int WRITE_BYTES = 64 << 10;

  private MemoryFill() {}

  /** Writes all pieces into node 0; writes nothing unless all of them are intact. */
  static void run(Fabric fabric, MemorySource source) {
    ByteBuffer piece = ByteBuffer.allocate(source.pieceBytes());
    for (long at = 0; at < source.bytes(); at += source.pieceBytes()) {
      read(source, at, piece);
    }
    try (Channel channel = fabric.openChannel(WRITE_BYTES)) {
      for (long at = 0; at < source.bytes(); at += source.pieceBytes()) {
        read(source, at, piece);
        write(channel, at, piece);
      }
    }
  }

  private static void read(MemorySource source, long at, ByteBuffer piece) {
    piece.clear().limit((int) Math.min(source.pieceBytes(), source.bytes() - at));
    source.read(at, piece);
    piece.flip();
  }

  private static void write(Channel channel, long at, ByteBuffer piece) {
    for (long to = at; piece.hasRemaining(); ) {
      int length = Math.min(WRITE_BYTES, piece.remaining());
      channel.staging().asByteBuffer().put(0, piece, piece.position(), length);
      channel.write(PoolAddress.of(0, to), 0, length);
      channel.flush();
      piece.position(piece.position() + length);
      to += length;
    }
  }
}
