package org.nelumbo.dm.replication.intent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CommitLogLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.CircleCheck;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;
import org.nelumbo.dm.superblock.CommitVector;

/**
 * Makes copies equal where a failed compute node had a logged flush in progress ({@link
 * org.nelumbo.dm.pool.Channel#flushLogged}). Such a flush goes to all copies at once, so each copy
 * has a prefix of it, and the log comes first: what any copy has is named by a log at the same
 * copy. Everything that is named becomes as it is at the primary.
 *
 * <p>The word of the failed compute node is completed first ({@link
 * org.nelumbo.dm.pool.Channel#flushRaised}). Only logs above the published timestamp of the compute
 * node count. Up to it all copies are equal, and other compute nodes may write there. Above it the
 * failed one still holds the locks.
 *
 * <p>A log is copied after the memory that it names, so another compute node can repeat all steps.
 * Confined to one thread.
 */
final class CommitLogCompletion {
  private static final int CHUNK_BYTES = 16 << 10;

  private final IntentTable table;
  private final View view;
  private final Placement placement;

  CommitLogCompletion(IntentTable table, View view) {
    this.table = table;
    this.view = view;
    this.placement = view.placement();
  }

  /**
   * Completes the logged flushes of a failed compute node, whose other flushes are complete.
   *
   * @param dead tenant number of the failed compute node
   */
  void complete(long dead) {
    long vector = word(PoolAddress.of(0, SuperblockLayout.COMMIT_VECTOR_OFFSET));
    int entry = vector == PoolAddress.NULL ? IntentTable.NONE : entry(dead);
    if (entry == IntentTable.NONE) {
      return;
    }
    long published = CommitVector.timestamp(raise(CommitVector.slotAddress(vector, entry)));
    CircleCheck circle = new CircleCheck();
    long block =
        word(SuperblockLayout.computeNode(entry) + SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET);
    while (block != PoolAddress.NULL && !circle.isCircle(block)) {
      MemorySegment directory = read(block, LogLayout.DIRECTORY_LENGTH);
      for (int log = 0; log < LogLayout.DIRECTORY_LOGS; log++) {
        int at = LogLayout.DIRECTORY_LOGS_OFFSET + log * Long.BYTES;
        long address = directory.get(ValueLayout.JAVA_LONG, at);
        if (address != PoolAddress.NULL) {
          completeLog(address, published);
        }
      }
      block = directory.get(ValueLayout.JAVA_LONG, LogLayout.DIRECTORY_NEXT_OFFSET);
    }
  }

  /**
   * Raises a word of the vector to its largest value at any copy, at the primary last; returns it.
   * All copies had the published commits before the word was written to any of them.
   */
  private long raise(long address) {
    int logical = PoolAddress.node(address);
    int primary = view.primaryCopy(logical);
    MemorySegment largest = read(address, Long.BYTES, primary);
    for (int copy = 0; copy < placement.copies(); copy++) {
      MemorySegment each =
          view.isLive(placement.node(logical, copy)) ? read(address, Long.BYTES, copy) : largest;
      boolean isLarger = CommitVector.timestamp(word(each)) > CommitVector.timestamp(word(largest));
      largest = isLarger ? each : largest;
    }
    for (int copy = placement.copies() - 1; copy >= 0; copy--) {
      if (copy != primary && view.isLive(placement.node(logical, copy))) {
        write(placement.node(logical, copy), physical(address, copy), largest);
      }
    }
    write(placement.node(logical, primary), physical(address, primary), largest);
    return word(largest);
  }

  private static long word(MemorySegment copy) {
    return copy.get(ValueLayout.JAVA_LONG, 0);
  }

  /** Returns the entry of a compute node in the table of compute nodes, or NONE. */
  private int entry(long tenant) {
    int length = SuperblockLayout.LENGTH - SuperblockLayout.COMPUTE_NODES_OFFSET;
    MemorySegment nodes = read(SuperblockLayout.computeNode(0), length);
    for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
      int at =
          entry * SuperblockLayout.COMPUTE_NODE_LENGTH
              + SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET;
      if (nodes.get(ValueLayout.JAVA_LONG, at) == tenant) {
        return entry;
      }
    }
    return IntentTable.NONE;
  }

  private void completeLog(long log, long published) {
    int logical = PoolAddress.node(log);
    MemorySegment atPrimary = read(log, CommitLogLayout.LENGTH_MAX);
    boolean differs = false;
    for (int copy = 0; copy < placement.copies(); copy++) {
      if (view.isLive(placement.node(logical, copy))) {
        MemorySegment read = read(log, CommitLogLayout.LENGTH_MAX, copy);
        differs |= read.mismatch(atPrimary) >= 0;
        if (CommitLogLayout.isWhole(read, 0) && CommitLogLayout.timestamp(read, 0) > published) {
          copyNamed(read);
        }
      }
    }
    if (differs) {
      copyRange(log, CommitLogLayout.LENGTH_MAX);
    }
  }

  private void copyNamed(MemorySegment log) {
    for (int i = 0; i < CommitLogLayout.entries(log, 0); i++) {
      long cvt = CommitLogLayout.cvt(log, 0, i);
      MemorySegment header = read(cvt, CvtLayout.FIRST_CELL_OFFSET);
      copyRange(cvt, SizeClass.bytes(CvtLayout.blockClass(header, 0)));
      long word0 = CommitLogLayout.newWord0(log, 0, i);
      if (CellLayout.hasOwnBlock(word0)) {
        copyRange(CellLayout.address(word0), SizeClass.bytes(CellLayout.sizeClass(word0)));
      }
      if (CommitLogLayout.overflow(log, 0, i) != PoolAddress.NULL) {
        copyRange(CommitLogLayout.overflow(log, 0, i), OverflowLayout.LENGTH);
      }
    }
  }

  /** Copies a range of a logical node from its primary to the other live copies. */
  private void copyRange(long address, int length) {
    int logical = PoolAddress.node(address);
    int primary = view.primaryCopy(logical);
    for (int from = 0; from < length; from += CHUNK_BYTES) {
      int bytes = Math.min(CHUNK_BYTES, length - from);
      MemorySegment content = read(address + from, bytes);
      for (int copy = 0; copy < placement.copies(); copy++) {
        int node = placement.node(logical, copy);
        if (copy != primary && view.isLive(node)) {
          write(node, physical(address + from, copy), content);
        }
      }
    }
  }

  private void write(int node, long address, MemorySegment content) {
    table.run(
        node,
        channel -> {
          MemorySegment.copy(content, 0, table.staging(), 0, content.byteSize());
          channel.write(address, 0, (int) content.byteSize());
        });
  }

  private long word(long address) {
    return read(address, Long.BYTES).get(ValueLayout.JAVA_LONG, 0);
  }

  /** Reads a range of a logical node at its primary. */
  private MemorySegment read(long address, int length) {
    return read(address, length, view.primaryCopy(PoolAddress.node(address)));
  }

  private MemorySegment read(long address, int length, int copy) {
    table.run(
        placement.node(PoolAddress.node(address), copy),
        channel -> channel.read(physical(address, copy), 0, length));
    MemorySegment result = Arena.ofAuto().allocate(length, Long.BYTES);
    return result.copyFrom(table.staging().asSlice(0, length));
  }

  private long physical(long address, int copy) {
    return PoolAddress.of(
        0, placement.offset(PoolAddress.node(address), copy, PoolAddress.offset(address)));
  }
}
