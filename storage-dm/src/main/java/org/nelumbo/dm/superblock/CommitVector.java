package org.nelumbo.dm.superblock;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The commit vector of a shared pool, a block of memory on node 0: for each compute node, the
 * timestamp up to which its commits are published. Only the compute node itself writes its word.
 *
 * <pre>
 *   0 | number of words that have ever been used; never decreases
 *   8 | word of the compute node in entry 0 of the table of compute nodes
 *  16 | word of entry 1 ...
 *
 *     63 | the compute node is active
 *     62 | it has committed since it published the word before
 *  54..0 | timestamp
 * </pre>
 *
 * <p>The low six bits of a timestamp are the entry of the compute node that has drawn it. In a
 * word, they are all set: the word covers all timestamps with its other bits.
 *
 * <p>A compute node that leaves makes its word inactive. The word keeps its timestamp, since the
 * versions up to it stay in the pool; and the next compute node in the entry starts above it.
 */
public final class CommitVector {
  /** Maximum number of words that are read, the count included. */
  public static final int WORDS_MAX = SuperblockLayout.COMPUTE_NODES + 1;

  /** Number of low bits of a timestamp that are the entry of its compute node. */
  public static final int SLOT_BITS = 6;

  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  private static final int BYTES = 64 * Math.ceilDiv(WORDS_MAX * Long.BYTES, 64);
  private static final long ACTIVE = 1L << 63;
  private static final long COMMITTED = 1L << 62;
  private static final long TIMESTAMP_MASK = (1L << 55) - 1;
  private static final long ADDRESS = PoolAddress.of(0, SuperblockLayout.COMMIT_VECTOR_OFFSET);

  private CommitVector() {}

  /** Returns the entry of the compute node that has drawn a timestamp. */
  public static int slot(long timestamp) {
    return (int) timestamp & SLOT_MASK;
  }

  /** Returns the timestamp of a word. */
  public static long timestamp(long word) {
    return word & TIMESTAMP_MASK;
  }

  /** Returns the word of an active compute node. */
  public static long word(long timestamp, boolean hasCommitted) {
    return ACTIVE | (hasCommitted ? COMMITTED : 0) | timestamp | SLOT_MASK;
  }

  private static boolean isActive(long word) {
    return word < 0;
  }

  /**
   * Returns the lowest timestamp of the active compute nodes: all commits up to it are published.
   * Returns 0 if no compute node is active.
   */
  public static long low(long[] words, int count) {
    long low = Long.MAX_VALUE;
    for (int slot = 0; slot < count; slot++) {
      if (isActive(words[slot])) {
        low = Math.min(low, timestamp(words[slot]));
      }
    }
    return low == Long.MAX_VALUE ? 0 : low;
  }

  /** Returns the largest timestamp of all words. */
  public static long newest(long[] words, int count) {
    long newest = 0;
    for (int slot = 0; slot < count; slot++) {
      newest = Math.max(newest, timestamp(words[slot]));
    }
    return newest;
  }

  /** Returns true if an active compute node has committed since its word before. */
  public static boolean isAnyCommitted(long[] words, int count) {
    for (int slot = 0; slot < count; slot++) {
      if ((words[slot] & COMMITTED) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the address of the pool's vector; NULL if it has none. */
  public static long find(Channel channel) {
    return ConfigurationRegister.word(channel, ADDRESS);
  }

  /** Posts that there is no vector. For a compute node that owns the pool exclusively. */
  public static void postForget(Channel channel) {
    channel.writeLong(ADDRESS, PoolAddress.NULL);
  }

  /**
   * Creates the vector of a pool that no compute node shares yet, or resets the one that the pool
   * has. It stays allocated until all memory in use is searched for.
   *
   * @param nodeBytes bytes of node 0
   * @param last a timestamp not below any that is in use
   * @throws PoolOpenException if the pool has no room for it
   */
  public static void create(Channel channel, long nodeBytes, long last) {
    long found = find(channel);
    long vector = found == PoolAddress.NULL ? allocate(channel, nodeBytes) : found;
    writeFirst(channel, vector, last);
    channel.writeLong(ADDRESS, vector);
    channel.flush();
  }

  private static void writeFirst(Channel channel, long vector, long last) {
    int mark = channel.mark();
    int offset = channel.reserve(BYTES);
    channel.staging().asSlice(offset, BYTES).fill((byte) 0);
    channel.staging().set(ValueLayout.JAVA_LONG, offset, 1);
    channel.staging().set(ValueLayout.JAVA_LONG, offset + (long) Long.BYTES, last | SLOT_MASK);
    channel.write(vector, offset, BYTES);
    channel.flush();
    channel.release(mark);
  }

  private static long allocate(Channel channel, long nodeBytes) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.fetchAndAdd(PoolAddress.of(0, SuperblockLayout.BUMP_OFFSET), BYTES, offset);
    channel.flush();
    long taken = channel.staging().get(ValueLayout.JAVA_LONG, offset);
    channel.release(mark);
    if (taken == SuperblockLayout.NO_ROOM || taken + BYTES > nodeBytes) {
      throw new PoolOpenException(
          "the pool is full: compute nodes that share it need "
              + BYTES
              + " bytes of node 0 for their commit vector");
    }
    return PoolAddress.of(0, taken);
  }

  /**
   * Makes a compute node active. From now on snapshots contain its commits up to the timestamp, and
   * the horizon does not pass it.
   *
   * @param timestamp a timestamp not below any word of the vector
   */
  public static void begin(Channel channel, long vector, int entry, long timestamp) {
    while (true) {
      int mark = channel.mark();
      int offset = channel.reserve(2 * Long.BYTES);
      long used = ConfigurationRegister.word(channel, vector);
      if (used > entry) {
        channel.release(mark);
        break;
      }
      channel.compareAndSwap(vector, used, entry + 1L, offset);
      channel.flush();
      channel.release(mark);
    }
    channel.writeLong(slotAddress(vector, entry), word(timestamp, false));
    channel.flush();
  }

  /** Returns the address of the word of an entry. */
  public static long slotAddress(long vector, int entry) {
    return vector + (entry + 1L) * Long.BYTES;
  }

  /**
   * Makes a compute node inactive: one that has no transaction any more, or that is fenced and
   * whose commits above its timestamp have been undone.
   */
  public static void end(Channel channel, long vector, int entry) {
    channel.writeLong(slotAddress(vector, entry), published(channel, vector, entry));
    channel.flush();
  }

  /** Returns the timestamp up to which the commits of a compute node are published. */
  public static long published(Channel channel, long vector, int entry) {
    return timestamp(ConfigurationRegister.word(channel, slotAddress(vector, entry)));
  }

  /**
   * Posts a READ of the first words; returns its offset in the staging buffer.
   *
   * @param count number of words, with the count that precedes them
   */
  public static int postRead(Channel channel, long vector, int count) {
    int offset = channel.reserve(count * Long.BYTES);
    channel.read(vector, offset, count * Long.BYTES);
    return offset;
  }

  /** Returns true if two copies in the staging buffer are equal. */
  public static boolean areEqual(MemorySegment staging, int one, int other, int count) {
    for (int i = 0; i < count * Long.BYTES; i += Long.BYTES) {
      if (staging.get(ValueLayout.JAVA_LONG, one + i)
          != staging.get(ValueLayout.JAVA_LONG, other + i)) {
        return false;
      }
    }
    return true;
  }
}
