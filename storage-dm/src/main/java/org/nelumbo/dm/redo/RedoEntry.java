package org.nelumbo.dm.redo;

import java.util.Arrays;
import java.util.zip.CRC32C;

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

  /** Whether it has to go into the log before more rows are added. */
  public boolean isFull() {
    return length >= RedoLayout.FRAME_FULL;
  }

  /** Position in the log up to which has to be forced what the transaction has written. */
  public long end() {
    return end;
  }

  /** Has what needs no place, so that it is done before the log is locked. */
  void seal(int kind) {
    Arrays.fill(bytes, length, RedoLayout.padded(length), (byte) 0);
    int body = RedoLayout.sum(crc, bytes, RedoLayout.HEADER, length - RedoLayout.HEADER);
    RedoLayout.writeBody(bytes, kind, length, body);
  }

  void place(int run, long position, long timestamp, long forced) {
    RedoLayout.writePlace(bytes, crc, run, position, timestamp, transaction, forced);
    end = position + paddedLength();
  }

  long transaction() {
    return transaction;
  }

  void setTransaction(long number) {
    transaction = number;
  }

  /** The rows are in the log; more of the transaction follow. */
  void clearRows() {
    length = RedoLayout.HEADER;
  }

  byte[] bytes() {
    return bytes;
  }

  int paddedLength() {
    return RedoLayout.padded(length);
  }
}
