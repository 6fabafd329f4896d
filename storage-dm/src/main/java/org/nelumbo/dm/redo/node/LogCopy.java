package org.nelumbo.dm.redo.node;

import java.util.ArrayDeque;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoSegments;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.LogCheckpoints;

/**
 * Copies the log of a memory node to another one, piece by piece, while commits are appended to the
 * first: the missing part if it can be determined ({@link LogCheckpoints}), else the whole log.
 * Appends are suspended for the last step. After it both nodes have the same log, and later frames
 * go to both. For one thread.
 */
public final class LogCopy implements AutoCloseable {
  /** Missing bytes below which suspending appends is worthwhile. */
  private static final long LITTLE_BYTES = 1L << 20;

  private static final String SEGMENT = "redo-";

  private final PoolLog from;
  private final PoolLog to;
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();

  private LogState state;

  /** Null if the whole log is copied. */
  private LogDifference difference;

  private long copiedBytes;

  /** Position up to which pieces are copied or scheduled. */
  private long end;

  private long segments;

  private record Piece(String name, long offset, long length) {}

  public LogCopy(PoolLog from, PoolLog to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Copies a piece; returns true if so little is missing that {@link #finish} should follow.
   *
   * @throws org.nelumbo.dm.pool.FabricException if one of the memory nodes fails
   */
  public boolean step() {
    if (state == null) {
      begin();
      return false;
    }
    if (hasMore()) {
      copyNext();
      return false;
    }
    look();
    return missing() < LITTLE_BYTES;
  }

  private boolean hasMore() {
    return difference == null ? !pieces.isEmpty() : difference.missing(state.end()) > 0;
  }

  private long missing() {
    return difference == null
        ? pieces.stream().mapToLong(Piece::length).sum()
        : difference.missing(state.end());
  }

  /** Returns the number of bytes copied so far. */
  public long copiedBytes() {
    return difference == null ? copiedBytes : difference.sentBytes();
  }

  /** Returns true if only the missing part is copied. */
  public boolean isDifference() {
    return difference != null;
  }

  /**
   * Returns true if the first step is done, which is impossible while the node writes a checkpoint.
   */
  public boolean hasBegun() {
    return state != null;
  }

  /** Copies the rest while appends are suspended; then the other node has the log. */
  public void finish() {
    look();
    while (hasMore()) {
      copyNext();
    }
    if (difference == null) {
      to.ask(LogRequest.end(LogRequest.FINISH, state.lastStore(), state.committed()));
    } else {
      difference.finish(state);
    }
  }

  /** Copies a whole log to which no compute node appends. */
  public void run() {
    while (!step()) {
      // continue
    }
    finish();
  }

  private void begin() {
    LogState first = LogState.decode(from.ask(LogRequest.of(LogRequest.STATE, 1)));
    if (first.end() < 0) {
      return; // the next step tries again
    }
    state = first; // from now on the source keeps its files until they are released
    LogDifference.Found found = LogDifference.find(from, to, first);
    difference = found.difference();
    switch (found.beginning()) {
      case BEGUN -> {}
      case BUSY -> {
        close();
        state = null; // the next step tries again
      }
      case IMPOSSIBLE -> beginWhole(first);
    }
  }

  private void beginWhole(LogState first) {
    to.ask(LogRequest.of(LogRequest.BEGIN, first.id()));
    for (LogState.File file : first.files()) {
      if (!file.name().startsWith(SEGMENT)) {
        add(file.name(), 0, file.size());
      }
    }
    pieces.add(new Piece(DatabaseFiles.DATABASE, 0, RedoLayout.BLOCK));
    end = first.start();
    segments = end / first.capacity();
    addFrames(first);
  }

  private void look() {
    state = LogState.decode(from.ask(LogRequest.of(LogRequest.STATE, 0)));
    if (difference == null) {
      addFrames(state);
    }
  }

  /**
   * Schedules the new part of the log: whole segments at first, later the part behind the known
   * end.
   */
  private void addFrames(LogState now) {
    long capacity = now.capacity();
    long last = (now.end() - 1) / capacity;
    for (long number = Math.max(0, segments - 1); number <= last; number++) {
      long offset = RedoLayout.BLOCK + Math.max(0, end - number * capacity);
      long until = RedoLayout.BLOCK + Math.min(capacity, now.end() - number * capacity);
      if (number >= segments) {
        add(RedoSegments.name(number), 0, RedoLayout.BLOCK + capacity);
      } else if (until > offset) {
        add(RedoSegments.name(number), offset, until - offset);
      }
    }
    segments = Math.max(segments, last + 1);
    end = now.end();
  }

  private void add(String name, long offset, long length) {
    for (long at = 0; at < length; at += LogRequest.PIECE_BYTES) {
      pieces.add(new Piece(name, offset + at, Math.min(LogRequest.PIECE_BYTES, length - at)));
    }
  }

  private void copyNext() {
    if (difference != null) {
      difference.step(state.end());
      return;
    }
    Piece piece = pieces.poll();
    byte[] bytes =
        from.ask(LogRequest.read(piece.name(), piece.offset(), Math.toIntExact(piece.length())));
    String name = piece.name();
    to.ask(
        LogRequest.write(
            name.equals(DatabaseFiles.DATABASE) ? DatabaseFiles.UNFINISHED_DATABASE : name,
            piece.offset(),
            bytes));
    copiedBytes += bytes.length;
  }

  /** Releases the files of the copied log. */
  @Override
  public void close() {
    if (state != null) {
      from.ask(LogRequest.of(LogRequest.LET_GO, 0));
    }
  }
}
