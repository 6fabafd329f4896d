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
import org.nelumbo.dm.redo.file.LogCheckpoints;

/**
 * Replaces the part of a log behind a log checkpoint by the part of another log behind the same log
 * checkpoint ({@link LogCheckpoints}). Other connections do not append meanwhile. For one thread.
 */
public final class LogReplacement implements AutoCloseable {
  private final RedoLog log;
  private final LogCheckpoints logCheckpoints;
  private final AtomicInteger lastStore;
  private final CommittedTransactions committed;
  private final long from;
  private final long copy;
  private final RedoEntry entry = new RedoEntry();

  /** Numbers of unfinished transactions in this log, by their numbers in the other log. */
  private final Map<Long, Long> open = new HashMap<>();

  /** Run of the other log to which these numbers belong. */
  private int run;

  private long timestamp;

  /**
   * Starts a replacement; no checkpoint is written until it is closed.
   *
   * @param lastStore largest number of a store that has rows in the log
   * @param committed last transactions in the log
   * @param from position behind the log checkpoint
   */
  LogReplacement(
      DatabaseFiles files, AtomicInteger lastStore, CommittedTransactions committed, long from) {
    this.log = files.log();
    this.logCheckpoints = files.logCheckpoints();
    this.lastStore = lastStore;
    this.committed = committed;
    this.from = from;
    this.copy = log.end();
  }

  /**
   * Appends consecutive frames of the other log.
   *
   * @throws IllegalArgumentException if they are malformed
   * @throws RedoFailedException if the log can no longer be written
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
   * Makes the appended frames valid instead of the old ones; durable when this returns.
   *
   * @param largestStore largest number of a store that has had rows in the other log
   * @param last last transactions of coordinators
   */
  void finish(int largestStore, List<LogState.Committed> last) {
    forget();
    entry.putNumbers(from, copy);
    entry.seal(RedoLayout.SWITCH);
    log.append(entry, Durability.COMMIT, () -> 0);
    log.awaitForced(entry.end());
    logCheckpoints.replace(from, copy, entry.end() - entry.paddedLength());
    lastStore.accumulateAndGet(largestStore, Math::max);
    committed.setAll(last);
  }

  /** Discards unfinished transactions. */
  @Override
  public void close() {
    forget();
  }
}
