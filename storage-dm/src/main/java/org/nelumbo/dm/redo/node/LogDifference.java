package org.nelumbo.dm.redo.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoSegments;
import org.nelumbo.dm.redo.file.FrameReader;
import org.nelumbo.dm.redo.file.FrameSource;
import org.nelumbo.dm.redo.file.LogCheckpoints;

/**
 * Sends to a memory node the part of another node's log behind the last common log checkpoint
 * ({@link LogCheckpoints}), piece by piece. For one thread.
 */
public final class LogDifference {
  /** Maximum number of log checkpoints among which a common one is searched. */
  public static final int MARKS_MAX = 4096;

  private final PoolLog to;
  private final LogCheckpoints replaced = new LogCheckpoints();
  private final RemoteFrames frames;
  private final FrameReader reader;
  private final CRC32C crc = new CRC32C();
  private final ByteArrayOutputStream piece = new ByteArrayOutputStream();
  private long sentBytes;

  private LogDifference(PoolLog from, PoolLog to, LogState state, ByteBuffer found) {
    this.to = to;
    this.frames = new RemoteFrames(from, state.capacity());
    this.reader = new FrameReader(frames, found.getLong());
    for (long left = found.getLong(); left > 0; left--) {
      replaced.replace(found.getLong(), found.getLong(), found.getLong());
    }
  }

  /** Result of the attempt to start. */
  enum Beginning {
    /** The replacement has started. */
    BEGUN,
    /** The node is busy; the caller has to retry. */
    BUSY,
    /** There is no common log checkpoint, or the frames behind it are no longer in the log. */
    IMPOSSIBLE
  }

  /** Result of the search for a common log checkpoint. */
  record Found(Beginning beginning, LogDifference difference) {}

  /**
   * Searches for a log checkpoint that both logs have, and starts there.
   *
   * @param state state of the first log, whose files are held
   */
  static Found find(PoolLog from, PoolLog to, LogState state) {
    ByteBuffer logCheckpoints = ByteBuffer.wrap(to.ask(LogRequest.of(LogRequest.MARKS, 0)));
    if (logCheckpoints.getLong() != state.id() || !logCheckpoints.hasRemaining()) {
      return new Found(Beginning.IMPOSSIBLE, null);
    }
    byte[] ids = new byte[logCheckpoints.remaining()];
    logCheckpoints.get(ids);
    ByteBuffer found = ByteBuffer.wrap(from.ask(LogRequest.of(LogRequest.FIND, ids)));
    long mark = found.getLong();
    if (!found.hasRemaining()) {
      return new Found(Beginning.IMPOSSIBLE, null);
    }
    byte[] reply = to.ask(LogRequest.of(LogRequest.REPLACE, mark));
    Beginning beginning = Beginning.values()[reply[0]];
    boolean isBegun = beginning == Beginning.BEGUN;
    return new Found(beginning, isBegun ? new LogDifference(from, to, state, found) : null);
  }

  /**
   * Sends a piece.
   *
   * @param end position up to which the first log is on the disk
   */
  void step(long end) {
    piece.reset();
    frames.end = end;
    reader.seek(reader.position()); // the bytes may have been written since
    while (reader.position() < end && piece.size() < LogRequest.PIECE_BYTES) {
      readNext();
      if (isWanted()) {
        add(reader.bytes());
      }
    }
    if (piece.size() > 0) {
      to.ask(LogRequest.of(LogRequest.FRAMES, piece.toByteArray()));
      sentBytes += piece.size();
    }
  }

  private void readNext() {
    try {
      if (!reader.next()) {
        throw new FabricException("the log of a live memory node is damaged", null);
      }
    } catch (IOException e) {
      throw new FabricException(e.getMessage(), e);
    }
  }

  private boolean isWanted() {
    int kind = reader.kind();
    return replaced.counts(reader) && (RedoLayout.isCommit(kind) || RedoLayout.isPart(kind));
  }

  private void add(byte[] bytes) {
    int padded = RedoLayout.padded(bytes.length);
    byte[] frame = Arrays.copyOf(bytes, padded);
    int kind = RedoLayout.isPart(RedoLayout.kind(frame)) ? RedoLayout.PART : RedoLayout.COMMIT;
    RedoLayout.writeKind(frame, kind);
    RedoLayout.writePlace(
        frame,
        crc,
        RedoLayout.run(bytes),
        0,
        RedoLayout.timestamp(bytes),
        RedoLayout.transaction(bytes),
        0);
    piece.write(frame, 0, padded);
  }

  /** Returns the number of bytes between the sent part and a position. */
  long missing(long end) {
    return end - reader.position();
  }

  /** Returns the number of bytes of frames that were sent. */
  long sentBytes() {
    return sentBytes;
  }

  /** Replaces the old frames by the sent ones. */
  void finish(LogState state) {
    to.ask(LogRequest.end(LogRequest.SWITCH, state.lastStore(), state.committed()));
  }

  private static final class RemoteFrames implements FrameSource {
    private final PoolLog log;
    private final long capacity;
    private long end;

    RemoteFrames(PoolLog log, long capacity) {
      this.log = log;
      this.capacity = capacity;
    }

    @Override
    public int read(ByteBuffer target, long position) {
      int total = 0;
      while (target.hasRemaining() && position + total < end) {
        long at = position + total;
        int offset = (int) (at % capacity);
        long here = Math.min(capacity - offset, end - at);
        int wanted = (int) Math.min(Math.min(target.remaining(), here), LogRequest.PIECE_BYTES);
        String name = RedoSegments.name(at / capacity);
        target.put(log.ask(LogRequest.read(name, RedoLayout.BLOCK + offset, wanted)));
        total += wanted;
      }
      return total;
    }

    @Override
    public String location(long position) {
      return RedoSegments.location(position, capacity);
    }
  }
}
