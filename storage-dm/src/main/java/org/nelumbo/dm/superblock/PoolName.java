package org.nelumbo.dm.superblock;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The name of a pool, with which an attaching process states that it means this one. It is written
 * when the pool is made and never changes. A pool may have no name: pools in shared files are
 * identified by their path, and earlier versions stored none. A pool without a name accepts any.
 */
public final class PoolName {
  private static final int STAGING_BYTES = 64;

  private PoolName() {}

  /**
   * Writes the name of a pool that is being made.
   *
   * @throws PoolOpenException if the name is too long for the superblock
   */
  public static void write(Fabric fabric, String name) {
    byte[] text = bytes(name);
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      channel.staging().set(ValueLayout.JAVA_LONG, 0, text.length);
      MemorySegment.copy(
          text, 0, channel.staging(), ValueLayout.JAVA_BYTE, Long.BYTES, text.length);
      channel.write(at(), 0, Long.BYTES + text.length);
      channel.flush();
    }
  }

  /** Reads the name of a pool; empty if it has none. */
  public static String read(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      channel.read(at(), 0, Long.BYTES + SuperblockLayout.NAME_BYTES_MAX);
      channel.flush();
      return text(channel.staging(), 0);
    }
  }

  /** Returns the name in a copy of node 0's superblock; empty if it has none. */
  public static String of(MemorySegment superblock) {
    return text(superblock, SuperblockLayout.NAME_OFFSET);
  }

  private static String text(MemorySegment from, long at) {
    long length = from.get(ValueLayout.JAVA_LONG, at);
    if (length <= 0 || length > SuperblockLayout.NAME_BYTES_MAX) {
      return "";
    }
    byte[] text = from.asSlice(at + Long.BYTES, length).toArray(ValueLayout.JAVA_BYTE);
    return new String(text, StandardCharsets.UTF_8);
  }

  /**
   * Checks that a pool is the expected one.
   *
   * @throws PoolOpenException if it has another name; the message contains it
   */
  public static void check(Fabric fabric, String wanted) {
    check(read(fabric), wanted);
  }

  /**
   * Checks that a pool with the given name is the expected one.
   *
   * @param name name of the pool; empty if it has none
   * @throws PoolOpenException if it has another name; the message contains it
   */
  public static void check(String name, String wanted) {
    if (!name.isEmpty() && !name.equals(wanted)) {
      throw new PoolOpenException(
          "the pool on these memory nodes is called '"
              + name
              + "', not '"
              + wanted
              + "': use its name in the URL, or name the memory nodes of the other pool");
    }
  }

  private static byte[] bytes(String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    if (text.length > SuperblockLayout.NAME_BYTES_MAX) {
      throw new PoolOpenException(
          "the name '"
              + name
              + "' is too long for a pool: at most "
              + SuperblockLayout.NAME_BYTES_MAX
              + " bytes length="
              + text.length);
    }
    return text;
  }

  private static long at() {
    return PoolAddress.of(0, SuperblockLayout.NAME_OFFSET);
  }
}
