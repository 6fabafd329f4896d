package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.RedoLayout;

/** Reads the frames of a stream, up to the first that does not count. One thread at a time. */
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

  /** Reads from a position on, where a frame begins. */
  public FrameReader(FrameSource source, long position) {
    this.source = source;
    this.position = position;
    this.chunkStart = position;
  }

  /** The next frame; false if there is none that counts. */
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

  /** Where in the chunk the bytes at the position are; less than 0 if there are not so many. */
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

  /** Goes to a position, and reads anew what is there: somebody may have written it since. */
  public void seek(long newPosition) {
    position = newPosition;
    chunkStart = newPosition;
    chunkLength = 0;
  }

  /**
   * Goes to the next frame that counts, behind something that does not.
   *
   * @return false if there is none; then the position stays as it is
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

  /** Where the last frame begins. */
  public long start() {
    return position - RedoLayout.padded(frame.length);
  }

  /** The position behind the last frame that counts. */
  public long position() {
    return position;
  }

  /** The run of the last frame. */
  public int run() {
    return run;
  }

  /** The last frame; stays as it is. */
  public byte[] bytes() {
    return frame;
  }

  /** Its bytes. */
  public int length() {
    return frame.length;
  }

  public int kind() {
    return RedoLayout.kind(frame);
  }

  public long timestamp() {
    return RedoLayout.timestamp(frame);
  }

  /** Position up to which the stream was forced when the frame was written. */
  public long forced() {
    return RedoLayout.forced(frame);
  }

  public long transaction() {
    return RedoLayout.transaction(frame);
  }

  /**
   * Whether something that lies from there on says that the stream was forced beyond the position:
   * then what is at the position has been damaged since; else it was never written wholly.
   */
  public boolean isForcedBeyond(long first) throws IOException {
    return firstFrame(first, position) >= 0;
  }

  /** Whether any frame begins from there on. */
  boolean hasFrame(long first) throws IOException {
    return firstFrame(first) >= 0;
  }

  /** Position of the first frame that begins from there on; less than 0 if none does. */
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
   * Shows the rows of the last frame.
   *
   * @throws DamagedFilesException if they are none
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
            "a frame has rows that are none: " + source.place(RedoLayout.position(frame)));
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
