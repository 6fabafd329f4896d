package org.nelumbo.dm.superblock;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Writes the superblocks of a new pool, and checks those of an existing one. A pool is complete
 * once its catalogue has a root. If the process that makes a pool fails before that, the pool holds
 * no data and may be formatted again.
 */
public final class PoolFormat {
  private static final int STAGING_BYTES = 4096;

  private PoolFormat() {}

  /** Returns true if the first node has been formatted. */
  public static boolean isFormatted(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      return word(channel, 0, SuperblockLayout.MAGIC_OFFSET) == SuperblockLayout.MAGIC;
    }
  }

  /**
   * Returns true if there is a complete pool of these nodes in this order; false if all of them may
   * be formatted.
   *
   * @throws PoolOpenException if neither holds: the message says what does not fit, and what to do
   */
  public static boolean isComplete(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      boolean first = word(channel, 0, SuperblockLayout.MAGIC_OFFSET) != 0;
      int unformatted = 0;
      for (int node = 0; node < fabric.nodeCount(); node++) {
        if (word(channel, node, SuperblockLayout.MAGIC_OFFSET) == 0) {
          unformatted++;
        } else if (first) {
          verify(channel, fabric, node);
        } else {
          throw mixed(node, 0);
        }
      }
      boolean complete =
          first && word(channel, 0, SuperblockLayout.CATALOGUE_ROOT_OFFSET) != PoolAddress.NULL;
      if (complete && unformatted > 0) {
        throw mixed(0, fabric.nodeCount() - 1);
      }
      return complete;
    }
  }

  private static PoolOpenException mixed(int formatted, int empty) {
    return new PoolOpenException(
        "memory node "
            + formatted
            + " belongs to a pool, but others, as node "
            + empty
            + ", are empty: name the nodes of one pool, all of them and in order, or only empty"
            + " ones for a new pool");
  }

  /**
   * Checks that the nodes of a fabric are the nodes of one pool, all of them, in this order and of
   * this size.
   *
   * @throws PoolOpenException if not: the message names the node, what differs, and what to do
   */
  public static void verify(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      for (int node = 0; node < fabric.nodeCount(); node++) {
        verify(channel, fabric, node);
      }
    }
  }

  private static void verify(Channel channel, Fabric fabric, int node) {
    checkMagic(node, word(channel, node, SuperblockLayout.MAGIC_OFFSET));
    checkFormat(node, fabric, word(channel, node, SuperblockLayout.FORMAT_OFFSET));
    long poolId = word(channel, 0, SuperblockLayout.POOL_ID_OFFSET);
    long found = word(channel, node, SuperblockLayout.POOL_ID_OFFSET);
    if (found != poolId) {
      throw new PoolOpenException(
          "memory node "
              + node
              + " belongs to another pool than node 0: name the nodes of one pool field=poolId"
              + hex(found, poolId));
    }
    long parameters = word(channel, node, SuperblockLayout.PARAMETERS_OFFSET);
    if (parameters != SuperblockLayout.PARAMETERS) {
      throw new PoolOpenException(
          "memory node "
              + node
              + " was laid out by a build with other layout parameters: open it with that build"
              + " field=parameters"
              + hex(parameters, SuperblockLayout.PARAMETERS));
    }
    checkBytes(
        node, fabric.nodeBytes(node), word(channel, node, SuperblockLayout.NODE_BYTES_OFFSET));
  }

  private static void checkMagic(int node, long magic) {
    if (magic != SuperblockLayout.MAGIC) {
      throw new PoolOpenException(
          "this is not a Nelumbo memory pool: check the path or address; it was not"
              + " changed node="
              + node
              + " field=magic"
              + hex(magic, SuperblockLayout.MAGIC));
    }
  }

  private static void checkFormat(int node, Fabric fabric, long word) {
    int format = (int) word;
    if (format != SuperblockLayout.FORMAT) {
      throw new PoolOpenException(
          "memory node "
              + node
              + " has pool format "
              + format
              + ", this version reads format "
              + SuperblockLayout.FORMAT
              + ": open it with the version that wrote it, and copy the data by SQL field=format");
    }
    int nodes = (int) (word >>> 48);
    int id = (int) (word >>> 32) & 0xFFFF;
    if (nodes != fabric.nodeCount()) {
      throw new PoolOpenException(
          "the pool has "
              + nodes
              + " memory nodes, "
              + fabric.nodeCount()
              + " were named: name all of them, in order field=nodes");
    }
    if (id != node) {
      throw new PoolOpenException(
          "memory node "
              + id
              + " of the pool was named at index "
              + node
              + ": name the nodes in order field=node");
    }
  }

  private static void checkBytes(int node, long bytes, long wanted) {
    if (bytes != wanted) {
      throw new PoolOpenException(
          "memory node "
              + node
              + " does not have the size it had when the pool was created: it was truncated,"
              + " or copied in part field=nodeBytes found="
              + bytes
              + " wanted="
              + wanted);
    }
  }

  private static String hex(long found, long wanted) {
    return " found=0x" + Long.toHexString(found) + " wanted=0x" + Long.toHexString(wanted);
  }

  /** Returns the word with format version, node and number of nodes. */
  public static long formatWord(int format, int node, int nodes) {
    return format | (long) node << 32 | (long) nodes << 48;
  }

  private static long word(Channel channel, int node, int offset) {
    channel.read(PoolAddress.of(node, offset), 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  /** Formats every node; its old content is lost. Epoch and owner stay. */
  public static void format(Fabric fabric, long poolId) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      for (int node = 0; node < fabric.nodeCount(); node++) {
        post(channel, node, SuperblockLayout.MAGIC_OFFSET, 0);
      }
      channel.flush();
      for (int node = 0; node < fabric.nodeCount(); node++) {
        postFields(channel, node, fabric, poolId);
      }
      channel.flush();
      // Node 0 first: its superblock shows that a pool is incomplete.
      for (int node = 0; node < fabric.nodeCount(); node++) {
        post(channel, node, SuperblockLayout.MAGIC_OFFSET, SuperblockLayout.MAGIC);
        channel.flush();
      }
    }
  }

  private static void postFields(Channel channel, int node, Fabric fabric, long poolId) {
    post(
        channel,
        node,
        SuperblockLayout.FORMAT_OFFSET,
        formatWord(SuperblockLayout.FORMAT, node, fabric.nodeCount()));
    post(channel, node, SuperblockLayout.POOL_ID_OFFSET, poolId);
    post(channel, node, SuperblockLayout.NODE_BYTES_OFFSET, fabric.nodeBytes(node));
    post(channel, node, SuperblockLayout.CATALOGUE_ROOT_OFFSET, 0);
    post(channel, node, SuperblockLayout.CATALOGUE_ORDERED_OFFSET, 0);
    post(channel, node, SuperblockLayout.PARAMETERS_OFFSET, SuperblockLayout.PARAMETERS);
    post(channel, node, SuperblockLayout.JOINS_OFFSET, 0);
    post(channel, node, SuperblockLayout.BUMP_OFFSET, SuperblockLayout.LENGTH);
    post(channel, node, SuperblockLayout.LOST_MEMORY_OFFSET, 0);
    post(channel, node, SuperblockLayout.CLOCK_OFFSET, 0);
    post(channel, node, SuperblockLayout.FREE_SPACE_MAP_OFFSET, 0);
    post(channel, node, SuperblockLayout.CONFIGURATION_OFFSET, 0);
    post(channel, node, SuperblockLayout.CONFIGURATION_LATCH_OFFSET, 0);
    post(channel, node, SuperblockLayout.CONFIGURATION_VERSION_OFFSET, 0);
    post(channel, node, SuperblockLayout.COMMIT_VECTOR_OFFSET, 0);
    post(channel, node, SuperblockLayout.NAME_OFFSET, 0);
    for (int offset = SuperblockLayout.COMPUTE_NODES_OFFSET;
        offset < SuperblockLayout.LENGTH;
        offset += Long.BYTES) {
      post(channel, node, offset, 0);
    }
  }

  private static void post(Channel channel, int node, int offset, long value) {
    channel.writeLong(PoolAddress.of(node, offset), value);
  }

  /** Writes the catalogue roots, which makes the pool complete. */
  public static void complete(Fabric fabric, long hashRoot, long orderedRoot) {
    assert hashRoot != PoolAddress.NULL && orderedRoot != PoolAddress.NULL;
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      post(channel, 0, SuperblockLayout.CATALOGUE_ORDERED_OFFSET, orderedRoot);
      channel.flush();
      post(channel, 0, SuperblockLayout.CATALOGUE_ROOT_OFFSET, hashRoot);
      channel.flush();
    }
  }

  /** Returns the id of a formatted pool: drawn when it was made, and never changed. */
  public static long poolId(Fabric fabric) {
    if (fabric.poolId() != 0) {
      return fabric.poolId();
    }
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      return word(channel, 0, SuperblockLayout.POOL_ID_OFFSET);
    }
  }

  /** Returns the root of the hash index of the catalogue of a complete pool. */
  public static long catalogueHashRoot(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      return word(channel, 0, SuperblockLayout.CATALOGUE_ROOT_OFFSET);
    }
  }

  /** Returns the root of the ordered index of the catalogue of a complete pool. */
  public static long catalogueOrderedRoot(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      return word(channel, 0, SuperblockLayout.CATALOGUE_ORDERED_OFFSET);
    }
  }
}
