package org.nelumbo.executor.version;

import org.nelumbo.dm.pool.Channel;

/**
 * Combines READs of memory at ascending addresses, such as the rows of a scan, whose blocks are
 * often adjacent. The bytes in between are read, too. Not thread-safe.
 */
final class ReadRun {
  /** Bytes in between up to which their transfer costs less than another verb. */
  private static final int GAP_MAX = 256;

  private static final int LENGTH_MAX = 4096;

  private final Channel channel;
  private long address;
  private int offset;
  private int length;

  ReadRun(Channel channel) {
    this.channel = channel;
  }

  /** Begins a set of READs. */
  void begin() {
    length = 0;
  }

  /**
   * Returns true if {@link #add} may add a READ to the present run: it is close to the last one,
   * and nothing else was reserved in the staging buffer since.
   */
  boolean isContinuedBy(long from, int bytes) {
    long distance = from - address;
    return length > 0
        && distance >= 0
        && distance <= length + GAP_MAX
        && distance + bytes <= LENGTH_MAX
        && channel.mark() == offset + aligned(length);
  }

  private static int aligned(int bytes) {
    return (bytes + Long.BYTES - 1) & -Long.BYTES;
  }

  /**
   * Adds a READ to the run, or begins a run if there is none.
   *
   * @param from address, at a multiple of 8 from that of the run
   * @return offset of the result in the staging buffer
   */
  int add(long from, int bytes) {
    if (length == 0) {
      address = from;
      offset = channel.mark();
    }
    int at = (int) (from - address);
    int needed = Math.max(length, at + bytes);
    channel.reserve(needed - aligned(length) > 0 ? needed - aligned(length) : 0);
    length = needed;
    return offset + at;
  }

  boolean isEmpty() {
    return length == 0;
  }

  long address() {
    return address;
  }

  int offset() {
    return offset;
  }

  int length() {
    return length;
  }
}
