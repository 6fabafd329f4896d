package org.nelumbo.executor.recovery;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CommitLogLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CircleCheck;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.superblock.CommitVector;
import org.nelumbo.dm.superblock.ConfigurationRegister;
import org.nelumbo.dm.superblock.LostMemory;

/**
 * Completes the transactions that were being committed when their compute node stopped, and had
 * begun to become visible. A transaction of which any effect may have been seen is committed
 * (Pandora section 3.2). Any other one is undone, since it was not acknowledged.
 *
 * <p>For each log with a correct checksum:
 *
 * <ol>
 *   <li>A cell with the logged word 0 that is invisible and carries the log's transaction id is
 *       pending. If there is none, the transaction was completed earlier, or had written nothing.
 *   <li>While there is a pending cell, the coordinator was committing and held the locks of all its
 *       cells. So any other cell with the logged word 0 has its commit timestamp.
 *   <li>If there is such a cell, the pending ones receive the same timestamp. Otherwise the
 *       transaction is committed if the log that a memory node keeps on a disk contains it.
 *   <li>Otherwise the cells stay pending, and are freed when their CVTs are visited ({@link
 *       TableRecovery}).
 * </ol>
 *
 * <p>In a pool with a {@link CommitVector} a transaction is committed if its timestamp is
 * published. Its cells may have a timestamp that is not: then they become INVISIBLE again, unless
 * the log of a memory node has the transaction.
 *
 * <p>If it is interrupted, it makes the same decisions when it runs again: a decision to commit
 * keeps the data on which it is based, and nothing becomes visible otherwise. The logs are removed
 * from the directory ({@link #clear}) when all tables have been visited.
 */
final class LogRecovery implements LogDecision {
  private static final int CELLS_PER_READ = 1024;
  private static final int ENTRIES_MAX = 1 << 26;

  private final Channel channel;
  private final MemorySegment staging;
  private final RecoveryCounts counts;

  /** Null if no memory node keeps a log. */
  private final PoolLog poolLog;

  private long[] places = new long[CommitLogLayout.ENTRIES_MAX];
  private long[] words = new long[CommitLogLayout.ENTRIES_MAX];
  private long[] pending = new long[64];
  private int pendingCount;

  /** Null if the pool has no commit vector. */
  private UnpublishedVersions unpublished;

  /** Entries whose cells have a timestamp that was not published. */
  private long[] undone = new long[64];

  private int undoneCount;
  private long version;

  LogRecovery(Channel channel, PoolLog poolLog, RecoveryCounts counts) {
    this.poolLog = poolLog;
    this.channel = channel;
    this.staging = channel.staging();
    this.counts = counts;
  }

  @Override
  public void run() {
    int entryWords = SuperblockLayout.COMPUTE_NODE_LENGTH / Long.BYTES;
    long[] table =
        words(SuperblockLayout.computeNode(0), SuperblockLayout.COMPUTE_NODES * entryWords);
    for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
      int logs = SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET / Long.BYTES;
      runOf(entry, table[entry * entryWords + logs]);
    }
  }

  @Override
  public void runOf(int entry) {
    long named = SuperblockLayout.computeNode(entry) + SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET;
    runOf(entry, words(named, 1)[0]);
  }

  private void runOf(int entry, long directory) {
    if (directory == PoolAddress.NULL) {
      return;
    }
    unpublished = UnpublishedVersions.of(channel, CommitVector.find(channel), entry);
    runFrom(directory);
    if (unpublished != null) {
      unpublished.publishDecided();
    }
  }

  private void runFrom(long directory) {
    CircleCheck circle = new CircleCheck();
    long block = directory;
    while (block != PoolAddress.NULL && !circle.isCircle(block)) {
      long[] words = words(block, LogLayout.DIRECTORY_LENGTH / Long.BYTES);
      for (int log = 1; log < words.length; log++) {
        if (words[log] != PoolAddress.NULL) {
          recover(words[log]);
        }
      }
      block = words[0];
    }
  }

  @Override
  public long[] blocksOf(int entry) {
    long named = SuperblockLayout.computeNode(entry) + SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET;
    Set<Long> blocks = new LinkedHashSet<>();
    long block = words(named, 1)[0];
    while (block != PoolAddress.NULL && blocks.add(block)) {
      long[] words = words(block, LogLayout.DIRECTORY_LENGTH / Long.BYTES);
      for (int log = 1; log < words.length; log++) {
        for (long each = words[log];
            each != PoolAddress.NULL && blocks.add(each);
            each = words(each + LogLayout.NEXT_OFFSET, 1)[0]) {}
      }
      block = words[0];
    }
    return blocks.stream().mapToLong(Long::longValue).toArray();
  }

  private long[] words(long address, int count) {
    int mark = channel.mark();
    int offset = channel.reserve(count * Long.BYTES);
    channel.read(address, offset, count * Long.BYTES);
    channel.flush();
    long[] result =
        staging.asSlice(offset, (long) count * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
    channel.release(mark);
    return result;
  }

  private void recover(long first) {
    int mark = channel.mark();
    int offset = channel.reserve(LogLayout.HEADER_LENGTH);
    channel.read(first, offset, LogLayout.HEADER_LENGTH);
    channel.flush();
    long id = LogLayout.transaction(staging, offset);
    long count = LogLayout.count(staging, offset);
    long checksum = LogLayout.checksum(staging, offset);
    channel.release(mark);
    if (count >= CommitLogLayout.KIND) {
      decide(id, readCommitLog(first));
    } else if (count > 0
        && count <= ENTRIES_MAX
        && readEntries(first, (int) count, id) == checksum) {
      decide(id, (int) count);
    }
  }

  private void decide(long id, int count) {
    pendingCount = 0;
    undoneCount = 0;
    version = 0;
    for (int from = 0; from < count; from += CELLS_PER_READ) {
      look(from, Math.min(count, from + CELLS_PER_READ), CellLayout.invisible(id));
    }
    if (undoneCount + pendingCount == 0) {
      return;
    }
    if (version == 0 && poolLog != null) {
      version = poolLog.committed(id);
    }
    if (version > 0) {
      complete();
    } else {
      undoUnpublished(id);
    }
  }

  /** Returns the number of entries of a commit log; 0 if it is not whole. */
  private int readCommitLog(long block) {
    int mark = channel.mark();
    int offset = channel.reserve(CommitLogLayout.LENGTH_MAX);
    channel.read(block, offset, CommitLogLayout.LENGTH_MAX);
    channel.flush();
    int count =
        CommitLogLayout.isWhole(staging, offset) ? CommitLogLayout.entries(staging, offset) : 0;
    for (int i = 0; i < count; i++) {
      places[i] =
          LogLayout.entryWord0(
              CommitLogLayout.cvt(staging, offset, i), CommitLogLayout.cell(staging, offset, i));
      words[i] = CommitLogLayout.newWord0(staging, offset, i);
    }
    channel.release(mark);
    return count;
  }

  /**
   * Makes cells INVISIBLE whose timestamp was not published. No other compute node has changed
   * them, since the locks are held.
   */
  private void undoUnpublished(long id) {
    for (int i = 0; i < undoneCount; i++) {
      int entry = (int) undone[i];
      channel.writeLong(
          cellAddress(places[entry]) + Long.BYTES,
          CellLayout.word1(CellLayout.invisible(id), CellLayout.headCv(words[entry])));
    }
    channel.flush();
  }

  private long readEntries(long first, int count, long id) {
    long checksum = LogLayout.addToChecksum(0, id);
    int mark = channel.mark();
    int offset = channel.reserve(LogLayout.BLOCK_LENGTH);
    int done = 0;
    CircleCheck circle = new CircleCheck();
    for (long block = first;
        done < count && block != PoolAddress.NULL && !circle.isCircle(block); ) {
      channel.read(block, offset, LogLayout.BLOCK_LENGTH);
      channel.flush();
      for (int i = 0; i < LogLayout.ENTRIES_PER_BLOCK && done < count; i++) {
        long at = offset + LogLayout.ENTRIES_OFFSET + (long) i * LogLayout.ENTRY_LENGTH;
        if (done == places.length) {
          words = Arrays.copyOf(words, done * 2);
          places = Arrays.copyOf(places, done * 2);
        }
        places[done] = staging.get(ValueLayout.JAVA_LONG, at);
        words[done] = staging.get(ValueLayout.JAVA_LONG, at + Long.BYTES);
        checksum = LogLayout.addToChecksum(checksum, places[done]);
        checksum = LogLayout.addToChecksum(checksum, words[done]);
        done++;
      }
      block = LogLayout.next(staging, offset);
    }
    channel.release(mark);
    return done == count ? checksum : ~LogLayout.addToChecksum(checksum, count);
  }

  private void look(int from, int to, long invisible) {
    int mark = channel.mark();
    int offset = channel.reserve((to - from) * CvtLayout.CELL_LENGTH);
    for (int i = from; i < to; i++) {
      channel.read(
          cellAddress(places[i]),
          offset + (i - from) * CvtLayout.CELL_LENGTH,
          CvtLayout.CELL_LENGTH);
    }
    channel.flush();
    for (int i = from; i < to; i++) {
      long at = offset + (long) (i - from) * CvtLayout.CELL_LENGTH;
      long word0 = staging.get(ValueLayout.JAVA_LONG, at);
      long word1 = staging.get(ValueLayout.JAVA_LONG, at + Long.BYTES);
      if (word0 == words[i] && !CellLayout.isTorn(word0, word1)) {
        note(i, CellLayout.version(word1), invisible);
      }
    }
    channel.release(mark);
  }

  private void note(int entry, long cellVersion, long invisible) {
    if (cellVersion == invisible) {
      if (pendingCount == pending.length) {
        pending = Arrays.copyOf(pending, pendingCount * 2);
      }
      pending[pendingCount++] = entry;
    } else if (unpublished != null && unpublished.contains(cellVersion)) {
      if (undoneCount == undone.length) {
        undone = Arrays.copyOf(undone, undoneCount * 2);
      }
      undone[undoneCount++] = entry;
    } else if (unpublished == null && !CellLayout.isInvisible(cellVersion)) {
      version = Math.max(version, cellVersion);
    }
  }

  private static long cellAddress(long place) {
    return LogLayout.cvt(place) + CvtLayout.cellOffset(LogLayout.cell(place));
  }

  private void complete() {
    for (int i = 0; i < pendingCount; i++) {
      int entry = (int) pending[i];
      channel.writeLong(
          cellAddress(places[entry]) + Long.BYTES,
          CellLayout.word1(version, CellLayout.headCv(words[entry])));
    }
    channel.flush();
    if (unpublished != null) {
      unpublished.decide(version);
    }
    counts.committed++;
    counts.newestVersion = Math.max(counts.newestVersion, version);
  }

  @Override
  public void clear() {
    for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
      for (int offset = 0; offset < SuperblockLayout.COMPUTE_NODE_LENGTH; offset += Long.BYTES) {
        channel.writeLong(SuperblockLayout.computeNode(entry) + offset, 0);
      }
    }
    channel.writeLong(PoolAddress.of(0, SuperblockLayout.JOINS_OFFSET), 0);
    LostMemory.postForget(channel);
    CommitVector.postForget(channel);
    ConfigurationRegister.postForget(channel);
    channel.flush();
  }
}
