package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.RedoLayout;

/** Reads the frames of a stream, up to the first invalid one. One thread at a time. */
public final class FrameReader {
  private static final int CHUNK_BYTES = 1 << 17;

  private final FrameSource source;
  private final CRC32C crc = new CRC32C();
  private byte[] chunk = new byte[CHUNK_BYTES];
  private long chunkStart;
  private int chunkLength;

  private long position;
  private int run;
  private byte[] frame = new byte[0];

  /**
   * Creates a reader.
   *
   * @param position position at which a frame starts
   */
  public FrameReader(FrameSource source, long position) {
    this.source = source;
    this.position = position;
    this.chunkStart = position;
  }

  /** Reads the next frame; returns false if there is no valid one. */
  public boolean next() throws IOException {
    int at = require(RedoLayout.HEADER);
    if (at < 0) {
      return false;
    }
    byte[] header = Arrays.copyOfRange(chunk, at, at + RedoLayout.HEADER);
    if (!RedoLayout.isHeader(header, crc, position) || RedoLayout.run(header) < run) {
      return false;
    }
    int length = RedoLayout.length(header);
    at = require(length);
    if (at < 0) {
      return false;
    }
    byte[] found = Arrays.copyOfRange(chunk, at, at + length);
    if (!RedoLayout.isBodyWhole(found, crc)) {
      return false;
    }
    frame = found;
    run = RedoLayout.run(found);
    position += RedoLayout.padded(length);
    return true;
  }

  /**
   * Returns the index in the chunk of the bytes at the position; negative if there are fewer bytes.
   */
  private int require(int length) throws IOException {
    if (position + length > chunkStart + chunkLength) {
      if (length > chunk.length) {
        chunk = new byte[RedoLayout.FRAME_MAX];
      }
      chunkLength = source.read(ByteBuffer.wrap(chunk), position);
      chunkStart = position;
    }
    return length > chunkLength - (position - chunkStart) ? -1 : (int) (position - chunkStart);
  }

  /** Moves to a position, and reads its bytes again, which may have been written meanwhile. */
  public void seek(long newPosition) {
    position = newPosition;
    chunkStart = newPosition;
    chunkLength = 0;
  }

  /**
   * Moves to the next valid frame behind an invalid one.
   *
   * @return false if there is none; then the position is unchanged
   */
  public boolean skip() throws IOException {
    long damaged = position;
    for (long file = damaged; file >= 0; file = source.nextFile(file)) {
      for (long at = firstFrame(file); at >= 0; at = firstFrame(at + 8)) {
        seek(at);
        if (next()) {
          return true;
        }
      }
    }
    seek(damaged);
    return false;
  }

  /** Returns the start position of the last frame. */
  public long start() {
    return position - RedoLayout.padded(frame.length);
  }

  /** Returns the position behind the last valid frame. */
  public long position() {
    return position;
  }

  /** Returns the run of the last frame. */
  public int run() {
    return run;
  }

  /** Returns the last frame, in an array that is not modified later. */
  public byte[] bytes() {
    return frame;
  }

  /** Returns the length of the last frame. */
  public int length() {
    return frame.length;
  }

  public int kind() {
    return RedoLayout.kind(frame);
  }

  public long timestamp() {
    return RedoLayout.timestamp(frame);
  }

  /** Returns the position up to which the stream was forced when the frame was written. */
  public long forced() {
    return RedoLayout.forced(frame);
  }

  public long transaction() {
    return RedoLayout.transaction(frame);
  }

  /**
   * Returns true if a frame from a position on states that the stream was forced beyond the present
   * position. Then the bytes at the present position were damaged later; otherwise they were never
   * written completely.
   */
  public boolean isForcedBeyond(long first) throws IOException {
    return firstFrame(first, position) >= 0;
  }

  /** Returns true if a frame header is found from a position on. */
  boolean hasFrame(long first) throws IOException {
    return firstFrame(first) >= 0;
  }

  /**
   * Returns the position of the first frame header from a position on; negative if there is none.
   */
  public long firstFrame(long first) throws IOException {
    return firstFrame(first, -1);
  }

  private long firstFrame(long first, long forcedBeyond) throws IOException {
    byte[] header = new byte[RedoLayout.HEADER];
    for (long from = first; ; from += chunkLength - RedoLayout.HEADER) {
      chunkLength = source.read(ByteBuffer.wrap(chunk), from) & ~7;
      chunkStart = from;
      for (int at = 0; at + RedoLayout.HEADER <= chunkLength; at += 8) {
        if (RedoLayout.getLong(chunk, at + 8) == from + at) {
          System.arraycopy(chunk, at, header, 0, RedoLayout.HEADER);
          if (RedoLayout.isHeader(header, crc, from + at)
              && RedoLayout.forced(header) > forcedBeyond) {
            return from + at;
          }
        }
      }
      if (chunkLength <= RedoLayout.HEADER) {
        return -1;
      }
    }
  }

  /**
   * Passes the rows of the last frame to a visitor.
   *
   * @throws DamagedFilesException if the rows are malformed
   */
  public void forEachRow(RowVisitor visitor) {
    int at = RedoLayout.HEADER;
    while (at < frame.length) {
      int keyLength =
          at + RedoLayout.ROW_HEADER <= frame.length ? RedoLayout.getShort(frame, at + 4) : -1;
      int imageLength = keyLength < 0 ? -1 : RedoLayout.getInt(frame, at + 8);
      int offset = at + RedoLayout.ROW_HEADER;
      if (keyLength < 0 || imageLength < keyLength || imageLength > frame.length - offset) {
        throw new DamagedFilesException(
            "a frame has invalid rows: " + source.location(RedoLayout.position(frame)));
      }
      visitor.row(
          RedoLayout.getInt(frame, at),
          frame,
          offset,
          keyLength,
          imageLength,
          RedoLayout.getShort(frame, at + 6) != 0);
      at = offset + imageLength;
    }
  }
}
