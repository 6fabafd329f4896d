package org.nelumbo.dm.redo.node;

import java.util.ArrayDeque;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoSegments;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.LogMarks;

/**
 * Copies the log of a memory node to another one, a piece at a time, while commits are appended to
 * the first: what is missing there, if that can be told ({@link LogMarks}), else all of it. At the
 * end nobody appends for a moment: then both have the same log, and what goes to one from then on
 * goes to the other. For one thread.
 */
public final class LogCopy implements AutoCloseable {
  /** When so little is missing, it is worth to have nobody append. */
  private static final long LITTLE_BYTES = 1L << 20;

  private static final String SEGMENT = "redo-";

  private final PoolLog from;
  private final PoolLog to;
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();

  /** As it was at the last look; null before the first. */
  private LogState state;

  /** Null: the whole log is copied. */
  private LogDifference difference;

  private long copiedBytes;

  /** Up to which there are pieces, or they have been copied. */
  private long end;

  /** Number behind the last segment that has pieces. */
  private long segments;

  /** A part of a file that is to be copied. */
  private record Piece(String name, long offset, long length) {}

  public LogCopy(PoolLog from, PoolLog to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Copies a piece; returns whether so little is missing that {@link #finish} should come next.
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

  /** Bytes that were copied so far. */
  public long copiedBytes() {
    return difference == null ? copiedBytes : difference.sentBytes();
  }

  /** Whether only what the other node misses is copied. */
  public boolean isDifference() {
    return difference != null;
  }

  /** Whether the first step was done; not while the node writes a checkpoint. */
  public boolean hasBegun() {
    return state != null;
  }

  /** Copies what is missing while nobody appends; then the other node has the log. */
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

  /** Copies all of a log to which nobody appends. */
  public void run() {
    while (!step()) {
      // it goes on
    }
    finish();
  }

  private void begin() {
    LogState first = LogState.decode(from.ask(LogRequest.of(LogRequest.STATE, 1)));
    if (first.end() < 0) {
      return; // it is asked again
    }
    state = first; // from now on there is something to let go of
    LogDifference.Found found = LogDifference.find(from, to, first);
    difference = found.difference();
    switch (found.beginning()) {
      case BEGUN -> {}
      case BUSY -> {
        close();
        state = null; // it is tried again
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

  /** Adds what has come to the log: whole files, and then what is behind what was there. */
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

  /** The files of the log that was copied are its own again. */
  @Override
  public void close() {
    if (state != null) {
      from.ask(LogRequest.of(LogRequest.LET_GO, 0));
    }
  }
}
