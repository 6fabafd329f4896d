package org.nelumbo.dm.redo;

import java.util.function.Supplier;
import org.nelumbo.dm.disk.Disk;

/**
 * Options of a log.
 *
 * @param durability default durability level of commits
 * @param intervalNanos time between forces if commits do not wait for them
 * @param segmentBytes size of a segment in a new database
 * @param bufferBytes capacity of each of the two buffers for entries that wait to be written
 * @param archive opens the disk to which full segments are copied before they are removed; null for
 *     none
 * @param isOfNode true for the log of a memory node, which has several senders, and whose order is
 *     not the order of timestamps
 */
public record RedoOptions(
    Durability durability,
    long intervalNanos,
    int segmentBytes,
    int bufferBytes,
    Supplier<Disk> archive,
    boolean isOfNode) {
  /** Default options: each commit waits, segments of 16 MiB, no archive. */
  public static final RedoOptions DEFAULT =
      new RedoOptions(Durability.COMMIT, 20_000_000L, 16 << 20, 4 << 20, null, false);

  /** Minimum size of a buffer, which fits any frame. */
  public static final int LEAST_BUFFER_BYTES = RedoLayout.FRAME_MAX;

  public RedoOptions {
    if (segmentBytes % RedoLayout.BLOCK != 0 || segmentBytes < 4 * RedoLayout.BLOCK) {
      throw new IllegalArgumentException(
          "the size of a segment is out of range segmentBytes=" + segmentBytes);
    }
    if (bufferBytes < LEAST_BUFFER_BYTES) {
      throw new IllegalArgumentException("a frame has no room bufferBytes=" + bufferBytes);
    }
  }

  public RedoOptions withDurability(Durability value) {
    return new RedoOptions(value, intervalNanos, segmentBytes, bufferBytes, archive, isOfNode);
  }

  public RedoOptions withIntervalNanos(long value) {
    return new RedoOptions(durability, value, segmentBytes, bufferBytes, archive, isOfNode);
  }

  public RedoOptions withBufferBytes(int value) {
    return new RedoOptions(durability, intervalNanos, segmentBytes, value, archive, isOfNode);
  }

  public RedoOptions withSegmentBytes(int value) {
    return new RedoOptions(durability, intervalNanos, value, bufferBytes, archive, isOfNode);
  }

  public RedoOptions withArchive(Supplier<Disk> value) {
    return new RedoOptions(durability, intervalNanos, segmentBytes, bufferBytes, value, isOfNode);
  }

  /** Sets the archive of a memory node's log. */
  public RedoOptions withNodeArchive(Supplier<Disk> value) {
    return new RedoOptions(durability, intervalNanos, segmentBytes, bufferBytes, value, true);
  }
}
