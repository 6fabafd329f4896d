package org.nelumbo.dm.redo;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.nelumbo.dm.redo.file.LogMarks;

/**
 * Rows that a transaction has written, on their way into the log. Used again for each transaction
 * of a coordinator; one thread at a time.
 */
public final class RedoEntry {
  private static final int INITIAL_BYTES = 512;
  private static final int KEPT_BYTES = 64 << 10;

  private final CRC32C crc = new CRC32C();
  private byte[] bytes = new byte[INITIAL_BYTES];
  private int length = RedoLayout.HEADER;

  /** Number of the transaction if it has several frames, else 0. */
  private long transaction;

  private long position;
  private long end;

  /** A transaction begins. */
  public void begin() {
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[INITIAL_BYTES];
    }
    length = RedoLayout.HEADER;
    transaction = 0;
    end = 0;
  }

  /**
   * Adds a row.
   *
   * @param store number of the store that the row is in
   * @param source has the normalised key at the offset, and the rest of the image behind it
   * @param imageLength of both; that of the key if the row is deleted
   */
  public void add(
      int store, byte[] source, int offset, int keyLength, int imageLength, boolean isDeleted) {
    int at = length;
    int needed = at + RedoLayout.ROW_HEADER + imageLength + Long.BYTES;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    RedoLayout.putInt(bytes, at, store);
    RedoLayout.putShort(bytes, at + 4, keyLength);
    RedoLayout.putShort(bytes, at + 6, isDeleted ? 1 : 0);
    RedoLayout.putInt(bytes, at + 8, imageLength);
    System.arraycopy(source, offset, bytes, at + RedoLayout.ROW_HEADER, imageLength);
    length = at + RedoLayout.ROW_HEADER + imageLength;
  }

  /** A frame to be sent to all logs of a pool at one place between commits ({@link LogMarks}). */
  public static byte[] mark(long id) {
    RedoEntry entry = new RedoEntry();
    entry.begin();
    entry.seal(RedoLayout.MARK);
    entry.address(id);
    return Arrays.copyOf(entry.bytes, entry.paddedLength());
  }

  /** Whether a frame that is sent has rows of a transaction that has more. */
  public static boolean isPart(byte[] frame) {
    return RedoLayout.isPart(RedoLayout.kind(frame));
  }

  /** Whether it has to go into the log before more rows are added. */
  public boolean isFull() {
    return length >= RedoLayout.FRAME_FULL;
  }

  /** Position in the log up to which has to be forced what the transaction has written. */
  public long end() {
    return end;
  }

  /** Has what needs no place, so that it is done before the log is locked. */
  public void seal(int kind) {
    Arrays.fill(bytes, length, RedoLayout.padded(length), (byte) 0);
    int body = RedoLayout.sum(crc, bytes, RedoLayout.HEADER, length - RedoLayout.HEADER);
    RedoLayout.writeBody(bytes, kind, length, body);
  }

  /**
   * Takes a frame that a compute node has sent; it has its kind and its rows.
   *
   * @return when it was committed, as the sender says
   * @throws IllegalArgumentException if it is none, or not as it was sent
   */
  public long receive(byte[] source, int offset, int frameLength) {
    if (frameLength < RedoLayout.HEADER || frameLength > RedoLayout.FRAME_MAX) {
      throw new IllegalArgumentException("no frame of the log length=" + frameLength);
    }
    begin();
    int padded = RedoLayout.padded(frameLength);
    if (padded > bytes.length) {
      bytes = new byte[padded];
    }
    System.arraycopy(source, offset, bytes, 0, frameLength);
    Arrays.fill(bytes, frameLength, padded, (byte) 0);
    length = RedoLayout.length(bytes);
    int kind = RedoLayout.kind(bytes);
    if (!RedoLayout.isHeader(bytes, crc, 0)
        || RedoLayout.padded(length) != padded
        || (kind != RedoLayout.COMMIT
            && kind != RedoLayout.PART
            && kind != RedoLayout.FORGET
            && kind != RedoLayout.MARK)
        || !RedoLayout.isBodyWhole(bytes, crc)) {
      throw new IllegalArgumentException("a frame of the log is not as it was sent kind=" + kind);
    }
    return RedoLayout.timestamp(bytes);
  }

  /**
   * The largest number of a store that has rows here; 0 if there are no rows.
   *
   * @throws IllegalArgumentException if what is here is no rows
   */
  public int lastStore() {
    int last = 0;
    for (int at = RedoLayout.HEADER; at < length; ) {
      int offset = at + RedoLayout.ROW_HEADER;
      int imageLength = offset <= length ? RedoLayout.getInt(bytes, at + 8) : -1;
      if (imageLength < 0
          || imageLength > length - offset
          || RedoLayout.getShort(bytes, at + 4) > imageLength) {
        throw new IllegalArgumentException("a frame has rows that are none offset=" + at);
      }
      last = Math.max(last, RedoLayout.getInt(bytes, at));
      at = offset + imageLength;
    }
    return last;
  }

  /** Numbers instead of rows. */
  public void putNumbers(long first, long second) {
    begin();
    RedoLayout.putLong(bytes, length, first);
    RedoLayout.putLong(bytes, length + Long.BYTES, second);
    length += 2 * Long.BYTES;
  }

  /** What was {@linkplain #receive received} comes from the log of another node. */
  public void setCopied() {
    seal(
        RedoLayout.isPart(RedoLayout.kind(bytes))
            ? RedoLayout.COPIED_PART
            : RedoLayout.COPIED_COMMIT);
  }

  /** Has what its receiver does not know better, so that it can be sent. */
  public void address(long timestamp) {
    RedoLayout.writePlace(bytes, crc, 0, 0, timestamp, 0, 0);
  }

  /** Notes the place that it has in the log. */
  public void setPosition(long value) {
    position = value;
    end = value + paddedLength();
  }

  /** Has its place, and what came with it. */
  public void place(int run, long timestamp, long forced) {
    RedoLayout.writePlace(bytes, crc, run, position, timestamp, transaction, forced);
  }

  public long transaction() {
    return transaction;
  }

  public void setTransaction(long number) {
    transaction = number;
  }

  /** The rows are in the log; more of the transaction follow. */
  public void clearRows() {
    length = RedoLayout.HEADER;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int paddedLength() {
    return RedoLayout.padded(length);
  }
}
