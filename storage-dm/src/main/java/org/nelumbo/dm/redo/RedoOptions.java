package org.nelumbo.dm.redo;

import java.util.function.Supplier;
import org.nelumbo.dm.disk.Disk;

/**
 * How a log is written.
 *
 * @param durability when a commit is acknowledged
 * @param intervalNanos between forces, where commits do not wait for them
 * @param segmentBytes of a file of the log, in a new database
 * @param bufferBytes of entries that wait to be written; there are two buffers of that size
 * @param archive opens the disk that full segments are copied to before they are removed; null if
 *     nobody wants them
 * @param isOfNode whether it is the log of a memory node: several send, and the order is not that
 *     of timestamps
 */
public record RedoOptions(
    Durability durability,
    long intervalNanos,
    int segmentBytes,
    int bufferBytes,
    Supplier<Disk> archive,
    boolean isOfNode) {
  /** Each commit waits; files of 16 MiB, which are not kept. */
  public static final RedoOptions DEFAULT =
      new RedoOptions(Durability.COMMIT, 20_000_000L, 16 << 20, 4 << 20, null, false);

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

  /** The archive of a memory node's log. */
  public RedoOptions withNodeArchive(Supplier<Disk> value) {
    return new RedoOptions(durability, intervalNanos, segmentBytes, bufferBytes, value, true);
  }
}
