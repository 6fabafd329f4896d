package org.nelumbo.dm.redo.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.redo.file.LogCheckpoints;

/**
 * Appends the frames of one connection to the log of a memory node, in the order of their arrival.
 * For one thread.
 */
public final class RedoReceiver {
  /** Longest frame. */
  public static final int FRAME_LENGTH_MAX = RedoLayout.FRAME_MAX;

  private final NodeLog nodeLog;
  private RedoLog log;
  private LogCheckpoints logCheckpoints;
  private CommittedTransactions committed;

  /** Raised before a row of a new store gets its position. */
  private AtomicInteger lastStore;

  private LogCompaction held;

  private LogReplacement replacement;

  /** LogCompaction that writes no checkpoint during the replacement. */
  private LogCompaction replaced;

  /** True if the peer has reported here that it loads the pool. */
  private boolean isLoading;

  private final RedoEntry entry = new RedoEntry();
  private final LongSupplier draw = this::timestamp;
  private long timestamp;

  /** By slot: last transactions of coordinators, and their unfinished transactions. */
  private CommittedTransactions.Last[] last;

  private long[] open;
  private int generation;

  /** True if a frame of this connection was appended: then the receiver stays with that log. */
  private boolean hasAppended;

  /** Position up to which the log must be on the disk before the next responses. */
  private long awaited;

  RedoReceiver(NodeLog nodeLog) {
    this.nodeLog = nodeLog;
    begin();
  }

  private void begin() {
    NodeLog.Generation now = nodeLog.current();
    lastStore = now.lastStore();
    log = now.files().log();
    logCheckpoints = now.files().logCheckpoints();
    committed = now.committed();
    generation = committed.generation();
    last = new CommittedTransactions.Last[16];
    open = new long[16];
    hasAppended = false;
    awaited = 0;
  }

  private long timestamp() {
    return timestamp;
  }

  /**
   * Appends a frame.
   *
   * @param transaction transaction of its rows
   * @param length length of the frame; 0 to only force the earlier ones
   * @param isForced true if the response waits until the frame is on the disk
   * @throws IllegalArgumentException if it is malformed or damaged
   * @throws RedoFailedException if the log can no longer be written
   */
  public void append(long transaction, byte[] bytes, int offset, int length, boolean isForced) {
    if (!hasAppended && nodeLog.current().files().log() != log) {
      begin(); // another compute node has given this node a log, for which this frame is
    }
    if (length > 0) {
      hasAppended = true;
      timestamp = entry.receive(bytes, offset, length);
      lastStore.accumulateAndGet(entry.lastStore(), Math::max);
      append(transaction, isForced);
    }
    if (isForced) {
      awaited = log.end();
    }
  }

  private void append(long transaction, boolean isForced) {
    if (RedoLayout.kind(entry.bytes()) == RedoLayout.MARK) {
      mark();
      return;
    }
    int slot = TransactionId.slot(transaction);
    makeRoom(slot);
    int kind = RedoLayout.kind(entry.bytes());
    entry.setTransaction(open[slot]);
    if (kind == RedoLayout.FORGET) {
      log.forget(entry);
    } else {
      log.append(entry, isForced ? Durability.COMMIT : Durability.INTERVAL, draw);
    }
    open[slot] = entry.transaction();
    if (kind == RedoLayout.COMMIT) {
      committed.set(lastOf(transaction, slot), transaction, timestamp);
    }
  }

  /**
   * Appends a log checkpoint, unless an unfinished transaction has rows before it. Its id was sent
   * as the timestamp.
   */
  private void mark() {
    if (!log.hasParts()) {
      long id = timestamp;
      entry.setTransaction(id);
      log.append(entry, Durability.INTERVAL, () -> 0);
      logCheckpoints.add(id, entry.end() - entry.paddedLength(), entry.end());
    }
  }

  private void makeRoom(int slot) {
    if (slot >= open.length) {
      int slots = Math.min(TransactionId.SLOTS, Math.max(slot + 1, 2 * open.length));
      open = Arrays.copyOf(open, slots);
      last = Arrays.copyOf(last, slots);
    }
  }

  private CommittedTransactions.Last lastOf(long transaction, int slot) {
    if (generation != committed.generation()) {
      generation = committed.generation();
      Arrays.fill(last, null);
    }
    if (last[slot] == null) {
      last[slot] = committed.of(TransactionId.coordinator(transaction));
    }
    return last[slot];
  }

  /**
   * Waits until the frames that request it are on the disk.
   *
   * @throws RedoFailedException if the log has failed
   */
  public void awaitForced() {
    if (awaited > 0) {
      log.awaitForced(awaited);
      awaited = 0;
    }
  }

  /**
   * Executes a request to copy the log, or to replace it.
   *
   * @throws IllegalArgumentException if it is invalid, or impossible
   * @throws UncheckedIOException if files cannot be read or written
   */
  public byte[] reply(byte[] question) {
    LogRequest request = LogRequest.decode(question);
    try {
      return reply(request);
    } catch (IOException e) {
      throw new UncheckedIOException("the files of the log cannot be copied: " + e.getMessage(), e);
    }
  }

  private byte[] reply(LogRequest request) throws IOException {
    switch (request.what()) {
      case LogRequest.STATE -> {
        return state(request.first() != 0);
      }
      case LogRequest.READ -> {
        return nodeLog.read(request.name(), request.first(), (int) request.second());
      }
      case LogRequest.LET_GO -> letGo();
      case LogRequest.BEGIN -> nodeLog.beginCopy(request.first());
      case LogRequest.WRITE -> nodeLog.write(request.name(), request.first(), request.rest());
      case LogRequest.MARKS -> {
        return nodeLog.logCheckpoints();
      }
      case LogRequest.FIND -> {
        return nodeLog.find(request.rest());
      }
      case LogRequest.REPLACE -> {
        return new byte[] {(byte) replace(request.first()).ordinal()};
      }
      case LogRequest.LOADING -> setLoading(new String(request.rest(), StandardCharsets.UTF_8));
      case LogRequest.FRAMES -> replacement().add(request.rest());
      case LogRequest.SWITCH -> {
        replacement()
            .finish((int) request.first(), LogState.getCommitted(ByteBuffer.wrap(request.rest())));
        endReplacement();
      }
      case LogRequest.FINISH -> {
        letGo();
        endReplacement();
        nodeLog.finishCopy(
            (int) request.first(), LogState.getCommitted(ByteBuffer.wrap(request.rest())));
        begin();
      }
      default -> throw new IllegalArgumentException("unknown log request what=" + request.what());
    }
    return new byte[0];
  }

  private byte[] state(boolean isHeld) throws IOException {
    if (isHeld) {
      letGo();
    }
    LogState state = nodeLog.state(isHeld);
    if (isHeld && state.end() >= 0) {
      held = nodeLog.current().digest();
    }
    return state.encode();
  }

  private void letGo() {
    if (held != null) {
      held.letGo();
      held = null;
    }
  }

  private LogDifference.Beginning replace(long mark) {
    endReplacement();
    NodeLog.Generation now = nodeLog.current();
    if (!now.files().log().isRecording() || !now.digest().hold()) {
      return LogDifference.Beginning.BUSY;
    }
    long from = now.files().logCheckpoints().behind(mark);
    if (from < now.files().start()) { // no such log checkpoint, or it is before the checkpoint
      now.digest().letGo();
      return LogDifference.Beginning.IMPOSSIBLE;
    }
    replacement = new LogReplacement(now.files(), now.lastStore(), now.committed(), from);
    replaced = now.digest();
    return LogDifference.Beginning.BEGUN;
  }

  private void setLoading(String progress) {
    isLoading = !progress.isEmpty();
    nodeLog.setLoading(isLoading ? progress : null);
  }

  private LogReplacement replacement() {
    if (replacement == null) {
      throw new IllegalArgumentException("no log replacement is in progress");
    }
    return replacement;
  }

  private void endReplacement() {
    if (replacement != null) {
      replacement.close();
      replacement = null;
      replaced.letGo();
    }
  }

  /** Ends the connection; discards unfinished transactions. */
  public void close() {
    letGo();
    endReplacement();
    if (isLoading) {
      setLoading("");
    }
    for (long transaction : open) {
      entry.setTransaction(transaction);
      log.forget(entry);
    }
  }
}
