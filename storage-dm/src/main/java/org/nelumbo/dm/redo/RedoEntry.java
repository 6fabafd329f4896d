package org.nelumbo.dm.redo;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.nelumbo.dm.redo.file.LogCheckpoints;

/**
 * Rows that a transaction has written, encoded for the log. Reused for each transaction of a
 * coordinator; one thread at a time.
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

  /** Starts a transaction. */
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
   * @param store number of the row's store
   * @param source array with the normalized key at the offset, followed by the rest of the image
   * @param imageLength length of both; length of the key if the row is deleted
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

  /**
   * Returns a log checkpoint, a frame that all logs of a pool receive between the same commits
   * ({@link LogCheckpoints}).
   */
  public static byte[] mark(long id) {
    RedoEntry entry = new RedoEntry();
    entry.begin();
    entry.seal(RedoLayout.MARK);
    entry.address(id);
    return Arrays.copyOf(entry.bytes, entry.paddedLength());
  }

  /** Returns true if a sent frame has rows of a transaction that has more rows. */
  public static boolean isPart(byte[] frame) {
    return RedoLayout.isPart(RedoLayout.kind(frame));
  }

  /** Returns true if the rows must be appended to the log before more are added. */
  public boolean isFull() {
    return length >= RedoLayout.FRAME_FULL;
  }

  /**
   * Returns the log position up to which the log must be forced for this transaction to be durable.
   */
  public long end() {
    return end;
  }

  /**
   * Completes the parts of the frame that do not depend on its position, before the log is locked.
   */
  public void seal(int kind) {
    Arrays.fill(bytes, length, RedoLayout.padded(length), (byte) 0);
    int body = RedoLayout.sum(crc, bytes, RedoLayout.HEADER, length - RedoLayout.HEADER);
    RedoLayout.writeBody(bytes, kind, length, body);
  }

  /**
   * Copies a frame that a compute node has sent, with its kind and its rows.
   *
   * @return the commit timestamp that the sender has drawn
   * @throws IllegalArgumentException if it is invalid, or damaged
   */
  public long receive(byte[] source, int offset, int frameLength) {
    if (frameLength < RedoLayout.HEADER || frameLength > RedoLayout.FRAME_MAX) {
      throw new IllegalArgumentException("not a log frame length=" + frameLength);
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
      throw new IllegalArgumentException("a frame of the log is corrupted kind=" + kind);
    }
    return RedoLayout.timestamp(bytes);
  }

  /**
   * Returns the largest number of a store that has rows in this entry; 0 if there are no rows.
   *
   * @throws IllegalArgumentException if the rows are malformed
   */
  public int lastStore() {
    int last = 0;
    for (int at = RedoLayout.HEADER; at < length; ) {
      int offset = at + RedoLayout.ROW_HEADER;
      int imageLength = offset <= length ? RedoLayout.getInt(bytes, at + 8) : -1;
      if (imageLength < 0
          || imageLength > length - offset
          || RedoLayout.getShort(bytes, at + 4) > imageLength) {
        throw new IllegalArgumentException("a frame has invalid rows offset=" + at);
      }
      last = Math.max(last, RedoLayout.getInt(bytes, at));
      at = offset + imageLength;
    }
    return last;
  }

  /** Starts an entry with two numbers instead of rows. */
  public void putNumbers(long first, long second) {
    begin();
    RedoLayout.putLong(bytes, length, first);
    RedoLayout.putLong(bytes, length + Long.BYTES, second);
    length += 2 * Long.BYTES;
  }

  /** Marks a {@linkplain #receive received} frame as copied from the log of another node. */
  public void setCopied() {
    seal(
        RedoLayout.isPart(RedoLayout.kind(bytes))
            ? RedoLayout.COPIED_PART
            : RedoLayout.COPIED_COMMIT);
  }

  /** Writes the header for sending; the receiver sets the other fields. */
  public void address(long timestamp) {
    RedoLayout.writePlace(bytes, crc, 0, 0, timestamp, 0, 0);
  }

  /** Sets the position of the frame in the log. */
  public void setPosition(long value) {
    position = value;
    end = value + paddedLength();
  }

  /** Writes the header fields that depend on the position. */
  public void place(int run, long timestamp, long forced) {
    RedoLayout.writePlace(bytes, crc, run, position, timestamp, transaction, forced);
  }

  public long transaction() {
    return transaction;
  }

  public void setTransaction(long number) {
    transaction = number;
  }

  /** Removes the rows after they are in the log; the transaction has more rows. */
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
