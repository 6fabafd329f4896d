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

/** Report of a memory node about its pool, read from the first page of its memory. */
public final class NodeReport {
  /** Staging that the channels need. */
  public static final int STAGING_BYTES = NodeHeaderLayout.LENGTH;

  /** Staging that {@link #configuration} needs. */
  public static final int CONFIGURATION_STAGING_BYTES =
      NodeHeaderLayout.LENGTH + ConfigurationRegister.STAGING_BYTES;

  /** Beginning of a line about a pool: the number of copies follows. */
  public static final String COPIES = "copies=";

  private static final Pattern COPIES_LINE =
      Pattern.compile("^" + COPIES + "([0-9]{1,9})(?=\\s|$)", Pattern.MULTILINE);

  private NodeReport() {}

  /**
   * Copies of everything, and of a pool with several what the node knows of the view; a line of
   * {@code key=value}, empty if the node is.
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

  /** The part in a pool that the node has, as far as it knows. */
  public static PoolMembership part(Channel channel) {
    NodeHeader header = NodeHeader.read(channel);
    return header.magic() == SuperblockLayout.MAGIC
        ? new PoolMembership(PoolMembership.Role.SINGLE, 1, 0, header.nodes(), header.nodes(), 0, 0)
        : header.part();
  }

  /** Number of the node in a pool with several copies; 0 elsewhere. */
  public static int number(Channel channel) {
    NodeHeader header = NodeHeader.read(channel);
    return header.isReplicated() ? header.node() : 0;
  }

  /** Whether the node has the last live copy of something, as far as it knows. */
  public static boolean isLastCopy(Channel channel) {
    return NodeHeader.read(channel).isLastCopy();
  }

  /**
   * The number of copies that such a line tells; 0 if there is none in the text. Other lines, which
   * have words of strangers, do not count.
   */
  public static int copies(String status) {
    Matcher line = COPIES_LINE.matcher(status);
    return line.find() ? Integer.parseInt(line.group(1)) : 0;
  }

  /** The words of the node's first page that a {@link NodeHeader} is made of. */
  public static byte[] header(Channel channel) {
    channel.read(PoolAddress.of(0, 0), 0, NodeHeaderLayout.LENGTH);
    channel.flush();
    return channel.staging().asSlice(0, NodeHeader.BYTES).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Name of a complete pool, as far as this node has the superblock that has it; else empty. */
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
   * What the compute nodes of a complete pool agree on, as far as this node has the superblock that
   * leads to it; else empty.
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

  /** The name in the superblock of a complete pool; empty if it is not that of logical node 0. */
  private static String nameIn(Channel channel, long at) {
    return isFirst(channel, at) ? PoolName.of(channel.staging()) : "";
  }

  /** Whether the page there, which is read, is the superblock of logical node 0 in use. */
  private static boolean isFirst(Channel channel, long at) {
    channel.read(PoolAddress.of(0, at), 0, NodeHeaderLayout.LENGTH);
    channel.flush();
    MemorySegment page = channel.staging();
    return page.get(ValueLayout.JAVA_LONG, SuperblockLayout.MAGIC_OFFSET) == SuperblockLayout.MAGIC
        && (page.get(ValueLayout.JAVA_LONG, SuperblockLayout.FORMAT_OFFSET) >>> 32 & 0xFFFF) == 0
        && page.get(ValueLayout.JAVA_LONG, SuperblockLayout.CATALOGUE_ROOT_OFFSET) != 0;
  }

  /** Bytes of a node's memory that compute nodes have been given; 0 if it is empty. */
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
