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
 * The ownership record in the superblock: the epoch, raised by each compute node that takes over
 * the pool, and the name of the last one, for display. It does not keep a second compute node out;
 * the fabric does (by a file lock, or the leases of memory nodes).
 */
public final class PoolOwner {
  private static final int STAGING_BYTES = 1024;

  private PoolOwner() {}

  /**
   * Raises the epoch by one and writes the new owner.
   *
   * @param name name of the new owner, for messages; truncated to 240 bytes
   * @param epochMicros current time, microseconds since 1970
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

  /** Returns the epoch: the number of times the pool was taken. */
  public static long epoch(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      return epoch(channel);
    }
  }

  /** Records that the owner has detached cleanly. */
  public static void leave(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      channel.writeLong(at(SuperblockLayout.ATTACHED_OFFSET), 0);
      channel.flush();
    }
  }

  /** Returns true if the last owner detached cleanly, or if there never was one. */
  public static boolean hasLeft(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      channel.read(at(SuperblockLayout.ATTACHED_OFFSET), 0, Long.BYTES);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0) == 0;
    }
  }

  /**
   * Returns the name of the last owner in a copy of node 0's superblock; empty if there was none.
   */
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
   * Returns the name of an owner in a form that is safe in messages, logs and lines of {@code
   * key=value}. An owner chooses its own name, which must not be mistaken for anything else.
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
