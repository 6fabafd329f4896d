package org.nelumbo.database.open;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;

/**
 * Copies the content of a pool of one memory node, and writes it back, while no process has the
 * pool open.
 */
final class PoolCopy {
  private static final int PART_BYTES = 1 << 20;

  private PoolCopy() {}

  /** Returns all allocated words. */
  static long[] take(Fabric memory) {
    try (Channel channel = memory.openChannel(PART_BYTES)) {
      channel.read(SuperblockLayout.BUMP_OFFSET, 0, Long.BYTES);
      long bytes = Math.min(channel.staging().get(ValueLayout.JAVA_LONG, 0), memory.nodeBytes(0));
      long[] words = new long[(int) (bytes / Long.BYTES)];
      for (int at = 0; at < bytes; at += PART_BYTES) {
        int length = (int) Math.min(PART_BYTES, bytes - at);
        channel.read(at, 0, length);
        MemorySegment.copy(
            channel.staging(),
            ValueLayout.JAVA_LONG,
            0,
            words,
            at / Long.BYTES,
            length / Long.BYTES);
      }
      return words;
    }
  }

  /** Writes such words back. */
  static void put(Fabric memory, long[] words) {
    try (Channel channel = memory.openChannel(PART_BYTES)) {
      long bytes = (long) words.length * Long.BYTES;
      for (int at = 0; at < bytes; at += PART_BYTES) {
        int length = (int) Math.min(PART_BYTES, bytes - at);
        MemorySegment.copy(
            words,
            at / Long.BYTES,
            channel.staging(),
            ValueLayout.JAVA_LONG,
            0,
            length / Long.BYTES);
        channel.write(at, 0, length);
      }
      channel.flush();
    }
  }
}
