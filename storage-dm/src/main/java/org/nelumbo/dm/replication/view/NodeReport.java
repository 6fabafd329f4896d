package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.superblock.ConfigurationRegister;
import org.nelumbo.dm.superblock.PoolName;

/** Reports of a memory node about its pool, read from the first page of its memory. */
public final class NodeReport {
  /** Staging bytes that the channels need. */
  public static final int STAGING_BYTES = NodeHeaderLayout.LENGTH;

  /** Staging bytes that {@link #configuration} needs. */
  public static final int CONFIGURATION_STAGING_BYTES =
      NodeHeaderLayout.LENGTH + ConfigurationRegister.STAGING_BYTES;

  /** Prefix of a line about a pool, followed by the number of copies. */
  public static final String COPIES = "copies=";

  private static final Pattern COPIES_LINE =
      Pattern.compile("^" + COPIES + "([0-9]{1,9})(?=\\s|$)", Pattern.MULTILINE);

  private NodeReport() {}

  /**
   * Returns the number of copies and, for a pool with several copies, the view that the node has:
   * one line of {@code key=value}, or an empty string if the node is empty.
   */
  public static String describe(Channel channel) {
    NodeHeader header = NodeHeader.read(channel);
    if (header.magic() == SuperblockLayout.MAGIC) {
      return COPIES
          + "1 pool="
          + PoolExpectation.text(header.poolId())
          + damagedPages(channel)
          + "\n";
    }
    return header.isReplicated() && header.view() != null ? header.describe() + "\n" : "";
  }

  private static String damagedPages(Channel channel) {
    long pages = channel.staging().get(ValueLayout.JAVA_LONG, SuperblockLayout.DAMAGED_OFFSET);
    return pages <= 0 ? "" : " damaged_pages=" + pages;
  }

  /** Returns the membership of the node in a pool, according to its header. */
  public static PoolMembership part(Channel channel) {
    NodeHeader header = NodeHeader.read(channel);
    return header.magic() == SuperblockLayout.MAGIC
        ? new PoolMembership(PoolMembership.Role.SINGLE, 1, 0, header.nodes(), header.nodes(), 0, 0)
        : header.part();
  }

  /** Returns the number of the node in a pool with several copies, and 0 otherwise. */
  public static int number(Channel channel) {
    NodeHeader header = NodeHeader.read(channel);
    return header.isReplicated() ? header.node() : 0;
  }

  /**
   * Returns true if the node has the last live copy of some logical node, according to its header.
   */
  public static boolean isLastCopy(Channel channel) {
    return NodeHeader.read(channel).isLastCopy();
  }

  /**
   * Returns the number of copies in a status text that {@link #describe} has written, or 0 if it
   * has no such line. Lines with text from other sources are ignored.
   */
  public static int copies(String status) {
    Matcher line = COPIES_LINE.matcher(status);
    return line.find() ? Integer.parseInt(line.group(1)) : 0;
  }

  /** Returns the bytes of the first page from which a {@link NodeHeader} is decoded. */
  public static byte[] header(Channel channel) {
    channel.read(PoolAddress.of(0, 0), 0, NodeHeaderLayout.LENGTH);
    channel.flush();
    return channel.staging().asSlice(0, NodeHeader.BYTES).toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Returns the name of a complete pool if this node holds the superblock that contains it, and an
   * empty string otherwise.
   */
  public static String poolName(Channel channel, long nodeBytes) {
    NodeHeader header = NodeHeader.read(channel);
    if (header.magic() == SuperblockLayout.MAGIC) {
      return nameIn(channel, 0);
    }
    int slots = header.isReplicated() ? header.copies() * header.virtualNodes() : 0;
    String name = "";
    for (int slot = 0; slot < slots && name.isEmpty(); slot++) {
      long at = NodeHeaderLayout.LENGTH + slot * header.slotBytes();
      name = at + header.slotBytes() <= nodeBytes ? nameIn(channel, at) : "";
    }
    return name;
  }

  /**
   * Returns the encoded configuration of the compute nodes of a complete pool if this node holds
   * the superblock that leads to it, and an empty array otherwise.
   */
  public static byte[] configuration(Channel channel, long nodeBytes) {
    NodeHeader header = NodeHeader.read(channel);
    if (header.magic() == SuperblockLayout.MAGIC) {
      return configurationIn(channel, 0, nodeBytes);
    }
    int slots = header.isReplicated() ? header.copies() * header.virtualNodes() : 0;
    byte[] found = new byte[0];
    for (int slot = 0; slot < slots && found.length == 0; slot++) {
      long at = NodeHeaderLayout.LENGTH + slot * header.slotBytes();
      boolean isWhole = at + header.slotBytes() <= nodeBytes;
      found = isWhole ? configurationIn(channel, at, header.slotBytes()) : found;
    }
    return found;
  }

  private static byte[] configurationIn(Channel channel, long at, long nodeBytes) {
    return isFirst(channel, at) ? ConfigurationRegister.peek(channel, at, nodeBytes) : new byte[0];
  }

  /**
   * Returns the name in a superblock, or an empty string if it is not that of logical node 0 in a
   * complete pool.
   */
  private static String nameIn(Channel channel, long at) {
    return isFirst(channel, at) ? PoolName.of(channel.staging()) : "";
  }

  /**
   * Reads the page at an offset; returns true if it is the superblock of logical node 0 in a
   * complete pool.
   */
  private static boolean isFirst(Channel channel, long at) {
    channel.read(PoolAddress.of(0, at), 0, NodeHeaderLayout.LENGTH);
    channel.flush();
    MemorySegment page = channel.staging();
    return page.get(ValueLayout.JAVA_LONG, SuperblockLayout.MAGIC_OFFSET) == SuperblockLayout.MAGIC
        && (page.get(ValueLayout.JAVA_LONG, SuperblockLayout.FORMAT_OFFSET) >>> 32 & 0xFFFF) == 0
        && page.get(ValueLayout.JAVA_LONG, SuperblockLayout.CATALOGUE_ROOT_OFFSET) != 0;
  }

  /** Returns the number of allocated bytes of a node's memory, or 0 if the node is empty. */
  public static long takenBytes(Channel channel, long nodeBytes) {
    NodeHeader header = NodeHeader.read(channel);
    if (header.magic() == SuperblockLayout.MAGIC) {
      return taken(channel, 0, nodeBytes);
    }
    long sum = 0;
    int slots = header.isReplicated() ? header.copies() * header.virtualNodes() : 0;
    for (int slot = 0; slot < slots; slot++) {
      long at = NodeHeaderLayout.LENGTH + slot * header.slotBytes();
      if (at + header.slotBytes() <= nodeBytes) {
        sum += taken(channel, at, header.slotBytes());
      }
    }
    return sum;
  }

  private static long taken(Channel channel, long from, long bytes) {
    channel.read(PoolAddress.of(0, from), 0, HighWaterMark.LENGTH);
    channel.flush();
    boolean isFormatted =
        channel.staging().get(ValueLayout.JAVA_LONG, SuperblockLayout.MAGIC_OFFSET)
            == SuperblockLayout.MAGIC;
    return isFormatted ? HighWaterMark.of(channel.staging(), 0, bytes) : 0;
  }
}
