package org.nelumbo.dm.superblock;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Ownership record in the superblock: the epoch, raised by each compute node that takes the pool
 * over, and the name of the last one. It tells people who has the pool. A second compute node is
 * kept out by the fabric (a file lock, the leases of memory nodes).
 */
public final class PoolOwner {
  private static final int STAGING_BYTES = 1024;

  private PoolOwner() {}

  /**
   * Raises the epoch by one and enters the new owner.
   *
   * @param name who takes the pool, for messages; what is over 240 bytes is cut off
   * @param epochMicros the time now, microseconds since 1970
   * @return the new epoch
   */
  public static long take(Fabric fabric, String name, long epochMicros) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      long epoch = raiseEpoch(channel);
      byte[] text = name.getBytes(StandardCharsets.UTF_8);
      byte[] cut = Arrays.copyOf(text, Math.min(text.length, SuperblockLayout.OWNER_BYTES_MAX));
      channel.staging().set(ValueLayout.JAVA_LONG, 0, cut.length);
      MemorySegment.copy(cut, 0, channel.staging(), ValueLayout.JAVA_BYTE, Long.BYTES, cut.length);
      channel.write(at(SuperblockLayout.OWNER_OFFSET), 0, Long.BYTES + cut.length);
      channel.writeLong(at(SuperblockLayout.ATTACHED_OFFSET), epochMicros);
      channel.flush();
      return epoch;
    }
  }

  private static long raiseEpoch(Channel channel) {
    long epoch;
    do {
      epoch = epoch(channel);
      channel.compareAndSwap(at(SuperblockLayout.EPOCH_OFFSET), epoch, epoch + 1, 0);
      channel.flush();
    } while (!channel.hasSwapped(0, epoch));
    return epoch + 1;
  }

  private static long epoch(Channel channel) {
    channel.read(at(SuperblockLayout.EPOCH_OFFSET), 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  /** The epoch: how often the pool was taken. */
  public static long epoch(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      return epoch(channel);
    }
  }

  /** Notes that the owner has left in good order. */
  public static void leave(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      channel.writeLong(at(SuperblockLayout.ATTACHED_OFFSET), 0);
      channel.flush();
    }
  }

  /** Whether the last owner left in good order (or there never was one). */
  public static boolean hasLeft(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      channel.read(at(SuperblockLayout.ATTACHED_OFFSET), 0, Long.BYTES);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0) == 0;
    }
  }

  /** The name of the last owner in a copy of node 0's superblock; empty if there was none. */
  public static String name(MemorySegment superblock) {
    long length = superblock.get(ValueLayout.JAVA_LONG, SuperblockLayout.OWNER_OFFSET);
    if (length <= 0 || length > SuperblockLayout.OWNER_BYTES_MAX) {
      return "";
    }
    byte[] text =
        superblock
            .asSlice(SuperblockLayout.OWNER_OFFSET + Long.BYTES, length)
            .toArray(ValueLayout.JAVA_BYTE);
    return printable(new String(text, StandardCharsets.UTF_8));
  }

  /**
   * The name of an owner as messages, logs and lines of {@code key=value} may show it: an owner
   * says itself what it is called, and others must not take that for something else.
   */
  public static String printable(String name) {
    StringBuilder shown = new StringBuilder();
    name.codePoints()
        .limit(SuperblockLayout.OWNER_BYTES_MAX)
        .map(c -> c == '=' ? ':' : isPrintable(c) ? c : '?')
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.PRIVATE_USE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static long at(int offset) {
    return PoolAddress.of(0, offset);
  }
}
