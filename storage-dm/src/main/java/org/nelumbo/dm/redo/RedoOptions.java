package org.nelumbo.dm.redo;

/**
 * How a log is written.
 *
 * @param durability when a commit is acknowledged
 * @param intervalNanos between forces, where commits do not wait for them
 * @param segmentBytes of a file of the log, in a new database
 * @param bufferBytes of entries that wait to be written; there are two buffers of that size
 */
public record RedoOptions(
    Durability durability, long intervalNanos, int segmentBytes, int bufferBytes) {
  /** Each commit waits; files of 16 MiB. */
  public static final RedoOptions DEFAULT =
      new RedoOptions(Durability.COMMIT, 20_000_000L, 16 << 20, 4 << 20);

  /** A buffer has room for any frame. */
  public static final int LEAST_BUFFER_BYTES = RedoLayout.FRAME_MAX;

  public RedoOptions {
    if (segmentBytes % RedoLayout.BLOCK != 0 || segmentBytes < 4 * RedoLayout.BLOCK) {
      throw new IllegalArgumentException("not so many blocks segmentBytes=" + segmentBytes);
    }
    if (bufferBytes < LEAST_BUFFER_BYTES) {
      throw new IllegalArgumentException("a frame has no room bufferBytes=" + bufferBytes);
    }
  }

  public RedoOptions withDurability(Durability value) {
    return new RedoOptions(value, intervalNanos, segmentBytes, bufferBytes);
  }

  public RedoOptions withIntervalNanos(long value) {
    return new RedoOptions(durability, value, segmentBytes, bufferBytes);
  }

  public RedoOptions withBufferBytes(int value) {
    return new RedoOptions(durability, intervalNanos, segmentBytes, value);
  }

  public RedoOptions withSegmentBytes(int value) {
    return new RedoOptions(durability, intervalNanos, value, bufferBytes);
  }
}
