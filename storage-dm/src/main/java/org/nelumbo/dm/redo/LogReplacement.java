package org.nelumbo.dm.redo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives a log what another one has behind a mark that both have, instead of what it has there
 * itself ({@link LogMarks}). Nobody else appends to it meanwhile. For one thread.
 */
final class LogReplacement implements AutoCloseable {
  private final NodeLog.Generation generation;
  private final RedoLog log;
  private final long from;
  private final long copy;
  private final RedoEntry entry = new RedoEntry();

  /** Numbers here of transactions that have parts and no end, by those in the other log. */
  private final Map<Long, Long> open = new HashMap<>();

  /** Of the other log, to which these belong. */
  private int run;

  private long timestamp;
  private boolean isClosed;

  private LogReplacement(NodeLog.Generation generation, long from) {
    this.generation = generation;
    this.log = generation.files().log();
    this.from = from;
    this.copy = log.end();
  }

  /**
   * Begins; no checkpoint is written until it is closed. Null if the mark is not there any more.
   *
   * @param generation whose checkpoints are held back, which is let go if this returns null
   */
  static LogReplacement begin(NodeLog.Generation generation, long mark) {
    long from = generation.files().marks().behind(mark);
    if (from < 0) {
      generation.digest().letGo();
      return null;
    }
    return new LogReplacement(generation, from);
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
    generation.lastStore().accumulateAndGet(entry.lastStore(), Math::max);
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
   * @param lastStore largest number of a store that has had rows in the other log
   * @param committed the last transactions of coordinators
   */
  void finish(int lastStore, List<LogState.Committed> committed) {
    forget();
    entry.putNumbers(from, copy);
    entry.seal(RedoLayout.SWITCH);
    log.append(entry, Durability.COMMIT, () -> 0);
    log.awaitForced(entry.end());
    generation.files().marks().replace(from, copy, entry.end() - entry.paddedLength());
    generation.lastStore().accumulateAndGet(lastStore, Math::max);
    generation.committed().setAll(committed);
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      forget();
      generation.digest().letGo();
    }
  }
}
