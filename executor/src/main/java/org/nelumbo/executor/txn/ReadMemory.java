package org.nelumbo.executor.txn;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.index.tree.LeavesAhead;
import org.nelumbo.dm.layout.SuperblockLayout;

/**
 * What a transaction remembers of what it has read, where a round trip is dear: records, keys that
 * have no row, and leaves of indexes that were read before they are wanted. Not thread-safe.
 */
final class ReadMemory {
  /** How many leaves of indexes may be read before they are wanted. */
  private static final int LEAVES_AHEAD = 192;

  private final RecordMemory records;
  private final AbsentRows absent;
  private final LeavesAhead leaves = new LeavesAhead(LEAVES_AHEAD);

  ReadMemory(Engine engine) {
    this.records = new RecordMemory(engine.recordCache());
    this.absent = new AbsentRows(engine.cvtCache());
  }

  RecordMemory records() {
    return records;
  }

  AbsentRows absent() {
    return absent;
  }

  LeavesAhead leaves() {
    return leaves;
  }

  /** Forgets everything: the transaction has ended. */
  void clear() {
    records.close();
    absent.clear();
    forgetLeaves();
  }

  /** Leaves are read anew from now on. */
  void forgetLeaves() {
    leaves.truncate(0);
  }

  /**
   * What was read from this compute node's memory alone counts if the pool is still this compute
   * node's: a READ fails if another one has taken it.
   */
  void confirm(Channel channel) {
    if (records.isUnconfirmed()) {
      int mark = channel.mark();
      int offset = channel.reserve(Long.BYTES);
      channel.read(PoolAddress.of(0, SuperblockLayout.MAGIC_OFFSET), offset, Long.BYTES);
      channel.flush();
      channel.release(mark);
    }
  }
}
