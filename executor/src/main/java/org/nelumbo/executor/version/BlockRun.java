package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The beginnings of adjacent blocks of memory, which are written by one WRITE. The WRITE covers the
 * rests of the blocks in between, too, so no other transaction may use any of them. Reusable; not
 * thread-safe.
 */
public final class BlockRun {
  /** Rest of a block up to which its transfer costs less than another verb. */
  private static final int REST_MAX = 256;

  private final Channel channel;
  private long address;
  private int offset;
  private int length;

  /** End of the last block; NULL if the next block cannot be added. */
  private long end;

  public BlockRun(Channel channel) {
    this.channel = channel;
  }

  public void clear() {
    length = 0;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  /** Returns the address of the first block. */
  public long address() {
    return address;
  }

  /** Returns the offset of the bytes in the staging buffer. */
  public int offset() {
    return offset;
  }

  /** Returns the number of bytes to be written. */
  public int length() {
    return length;
  }

  /**
   * Returns true if {@link #add} may add a block: it follows the last one, and nothing was reserved
   * in the staging buffer since that one was added.
   */
  public boolean isFollowedBy(long block) {
    return length == 0
        || block == end
            && block - address - length <= REST_MAX
            && channel.mark() == offset + aligned(length);
  }

  private static int aligned(int bytes) {
    return (bytes + Long.BYTES - 1) & -Long.BYTES;
  }

  /**
   * Adds a block.
   *
   * @param blockBytes length of the block
   * @param usedBytes number of bytes at its beginning that the caller is going to stage
   * @return their offset in the staging buffer
   */
  public int add(long block, int blockBytes, int usedBytes) {
    assert block != PoolAddress.NULL && isFollowedBy(block) : "not adjacent";
    if (length == 0) {
      address = block;
      offset = channel.mark();
    }
    int from = (int) (block - address);
    channel.reserve(from + usedBytes - aligned(length));
    if (from > length) {
      MemorySegment rest = channel.staging().asSlice(offset + length, from - length);
      rest.fill((byte) 0);
    }
    length = from + usedBytes;
    end = block + blockBytes;
    return offset + from;
  }
}
