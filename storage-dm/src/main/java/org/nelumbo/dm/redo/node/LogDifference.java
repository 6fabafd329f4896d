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
import org.nelumbo.dm.redo.file.LogMarks;

/**
 * Gives a memory node what the log of another one has behind the last mark that both have ({@link
 * LogMarks}), a piece at a time. For one thread.
 */
public final class LogDifference {
  /** Marks by which a common one is looked for. */
  public static final int MARKS_MAX = 4096;

  private final PoolLog to;
  private final LogMarks replaced = new LogMarks();
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

  /** Whether a log can be given what it misses. */
  enum Beginning {
    /** It is. */
    BEGUN,
    /** Not now: it is to be tried again. */
    BUSY,
    /** There is no common mark, or what is behind it is not there any more. */
    IMPOSSIBLE
  }

  /** What came of a look for a mark that two logs have. */
  record Found(Beginning beginning, LogDifference difference) {}

  /**
   * Looks for a mark that two logs have, and begins there.
   *
   * @param state of the first one, whose files stay as they are
   */
  static Found find(PoolLog from, PoolLog to, LogState state) {
    ByteBuffer marks = ByteBuffer.wrap(to.ask(LogRequest.of(LogRequest.MARKS, 0)));
    if (marks.getLong() != state.id() || !marks.hasRemaining()) {
      return new Found(Beginning.IMPOSSIBLE, null);
    }
    byte[] ids = new byte[marks.remaining()];
    marks.get(ids);
    ByteBuffer found = ByteBuffer.wrap(from.ask(LogRequest.of(LogRequest.FIND, ids)));
    long mark = found.getLong();
    if (!found.hasRemaining()) {
      return new Found(Beginning.IMPOSSIBLE, null);
    }
    byte[] answer = to.ask(LogRequest.of(LogRequest.REPLACE, mark));
    Beginning beginning = Beginning.values()[answer[0]];
    boolean isBegun = beginning == Beginning.BEGUN;
    return new Found(beginning, isBegun ? new LogDifference(from, to, state, found) : null);
  }

  /**
   * Sends a piece.
   *
   * @param end up to which the first log is on the disk
   */
  void step(long end) {
    piece.reset();
    frames.end = end;
    reader.seek(reader.position()); // it may have been written since
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

  /** Adds a frame without its place. */
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

  /** Bytes between what was sent and a position. */
  long missing(long end) {
    return end - reader.position();
  }

  /** Bytes of frames that were sent. */
  long sentBytes() {
    return sentBytes;
  }

  /** All was sent: it takes the place of what was there. */
  void finish(LogState state) {
    to.ask(LogRequest.end(LogRequest.SWITCH, state.lastStore(), state.committed()));
  }

  /** Frames in the files of a log that is somewhere else, up to an end. */
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
    public String place(long position) {
      return RedoSegments.place(position, capacity);
    }
  }
}
