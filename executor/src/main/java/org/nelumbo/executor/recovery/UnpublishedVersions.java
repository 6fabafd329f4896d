package org.nelumbo.executor.recovery;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.CommitVector;

/**
 * The versions of a failed compute node that it has not published in the {@link CommitVector}. No
 * snapshot contains them. Confined to one thread.
 */
final class UnpublishedVersions {
  private final Channel channel;
  private final long vector;
  private final int entry;
  private final long published;
  private long decided;

  private UnpublishedVersions(Channel channel, long vector, int entry) {
    this.channel = channel;
    this.vector = vector;
    this.entry = entry;
    this.published = CommitVector.published(channel, vector, entry);
  }

  /**
   * Returns those of the compute node in an entry, which is fenced; null if there is no vector.
   *
   * @param vector address of the vector, or NULL
   */
  static UnpublishedVersions of(Channel channel, long vector, int entry) {
    return vector == PoolAddress.NULL ? null : new UnpublishedVersions(channel, vector, entry);
  }

  /** Returns true if a version, which is a timestamp, is one of them. */
  boolean contains(long version) {
    return CommitVector.slot(version) == entry && version > published;
  }

  /** Records that one of them is committed. */
  void decide(long version) {
    decided = Math.max(decided, version);
  }

  /** Publishes those that are committed, when all others have been undone. */
  void publishDecided() {
    if (decided > published) {
      channel.writeLong(CommitVector.slotAddress(vector, entry), CommitVector.word(decided, true));
      channel.flush();
    }
  }
}
