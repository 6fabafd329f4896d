package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.pool.Channel;

/**
 * Copies many words between pool and heap in as few verbs as the free staging bytes allow. The
 * words are not shared meanwhile: nothing is atomic across words.
 */
final class BulkCopy {
  private BulkCopy() {}

  /**
   * Reads words {@code from} to {@code to} of the structure at {@code address} into the same
   * indexes of {@code words}.
   */
  static void read(Channel channel, long address, long[] words, int from, int to) {
    int step = step(channel, to - from);
    int mark = channel.mark();
    int offset = channel.reserve(step * Long.BYTES);
    for (int at = from; at < to; at += step) {
      int count = Math.min(step, to - at);
      channel.read(address + (long) at * Long.BYTES, offset, count * Long.BYTES);
      channel.flush();
      MemorySegment.copy(channel.staging(), JAVA_LONG, offset, words, at, count);
    }
    channel.release(mark);
  }

  /**
   * Writes words {@code from} to {@code to} of {@code words} to the same indexes of the structure
   * at {@code address}.
   */
  static void write(Channel channel, long address, long[] words, int from, int to) {
    int step = step(channel, to - from);
    int mark = channel.mark();
    int offset = channel.reserve(step * Long.BYTES);
    for (int at = from; at < to; at += step) {
      int count = Math.min(step, to - at);
      MemorySegment.copy(words, at, channel.staging(), JAVA_LONG, offset, count);
      channel.write(address + (long) at * Long.BYTES, offset, count * Long.BYTES);
      channel.flush();
    }
    channel.release(mark);
  }

  private static int step(Channel channel, int words) {
    return Math.clamp(channel.stagingAvailable() / Long.BYTES, 1, words);
  }
}
