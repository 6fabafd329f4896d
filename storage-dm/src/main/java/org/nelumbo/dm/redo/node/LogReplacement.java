package org.nelumbo.dm.redo.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.LogMarks;

/**
 * Gives a log what another one has behind a mark that both have, instead of what it has there
 * itself ({@link LogMarks}). Nobody else appends to it meanwhile. For one thread.
 */
public final class LogReplacement implements AutoCloseable {
  private final RedoLog log;
  private final LogMarks marks;
  private final AtomicInteger lastStore;
  private final CommittedTransactions committed;
  private final long from;
  private final long copy;
  private final RedoEntry entry = new RedoEntry();

  /** Numbers here of transactions that have parts and no end, by those in the other log. */
  private final Map<Long, Long> open = new HashMap<>();

  /** Of the other log, to which these belong. */
  private int run;

  private long timestamp;

  /**
   * Begins; no checkpoint is written until it is closed.
   *
   * @param lastStore the largest number of a store that has rows in the log
   * @param committed what is known of the transactions in the log
   * @param from the position behind the mark
   */
  LogReplacement(
      DatabaseFiles files, AtomicInteger lastStore, CommittedTransactions committed, long from) {
    this.log = files.log();
    this.marks = files.marks();
    this.lastStore = lastStore;
    this.committed = committed;
    this.from = from;
    this.copy = log.end();
  }

  /**
   * Appends frames of the other log, one behind the other.
   *
   * @throws IllegalArgumentException if they are none
   * @throws RedoFailedException if the log can be written no longer
   */
  void add(byte[] frames) {
    for (int at = 0; at < frames.length; at += RedoLayout.padded(RedoLayout.length(frames, at))) {
      int length = RedoLayout.padded(RedoLayout.length(frames, at));
      if (length < RedoLayout.HEADER || length > frames.length - at) {
        throw new IllegalArgumentException("a frame of a log has no end offset=" + at);
      }
      timestamp = entry.receive(frames, at, length);
      append(RedoLayout.run(entry.bytes()), RedoLayout.transaction(entry.bytes()));
    }
  }

  private void append(int itsRun, long transaction) {
    if (itsRun != run) {
      forget();
      run = itsRun;
    }
    boolean isPart = RedoLayout.isPart(RedoLayout.kind(entry.bytes()));
    if (!isPart && transaction != 0 && !open.containsKey(transaction)) {
      throw new IllegalArgumentException("a transaction has no beginning number=" + transaction);
    }
    lastStore.accumulateAndGet(entry.lastStore(), Math::max);
    entry.setCopied();
    entry.setTransaction(transaction == 0 ? 0 : open.getOrDefault(transaction, 0L));
    log.append(entry, Durability.INTERVAL, () -> timestamp);
    if (isPart) {
      open.put(transaction, entry.transaction());
    } else {
      open.remove(transaction);
    }
  }

  private void forget() {
    for (long number : open.values()) {
      entry.setTransaction(number);
      log.forget(entry);
    }
    open.clear();
  }

  /**
   * What was appended takes the place of what was there; it is on the disk when this returns.
   *
   * @param largestStore number of a store that has had rows in the other log
   * @param last the last transactions of coordinators
   */
  void finish(int largestStore, List<LogState.Committed> last) {
    forget();
    entry.putNumbers(from, copy);
    entry.seal(RedoLayout.SWITCH);
    log.append(entry, Durability.COMMIT, () -> 0);
    log.awaitForced(entry.end());
    marks.replace(from, copy, entry.end() - entry.paddedLength());
    lastStore.accumulateAndGet(largestStore, Math::max);
    committed.setAll(last);
  }

  /** What was begun and has no end comes to nothing. */
  @Override
  public void close() {
    forget();
  }
}
