package org.nelumbo.dm.redo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Layout of the files of a durable database. All numbers are little-endian.
 *
 * <p>Each file starts with a block of 4 KiB, of which 64 bytes are used:
 *
 * <pre>
 *  0  magic (8)
 *  8  format (4) | format of row images (4)
 * 16  id of the database (8)
 * 24  three numbers, by the kind of file (8 each)
 * 48  a timestamp that is not below any that was drawn before (8)
 * 56  CRC32C of the first 56 bytes (4) | 0 (4)
 * </pre>
 *
 * <p>Frames follow, each at a multiple of 8:
 *
 * <pre>
 *  0  kind (4 bits) and length, header included (28 bits) | run of the database (4)
 *  8  position of the frame in its stream (8)
 * 16  commit timestamp (8)
 * 24  number of the transaction in its run, if it has several frames; else 0 (8)
 * 32  position up to which the stream was forced when this was written (8)
 * 40  CRC32C of the body (4) | CRC32C of the first 44 bytes (4)
 * 48  body: rows
 * </pre>
 *
 * <p>A row:
 *
 * <pre>
 *  0  store (4) | length of the key (2) | 1 if the row is deleted, else 0 (1) | 0 (1)
 *  8  length of the image, key included (4)
 * 12  normalized key, the rest of the image
 * </pre>
 *
 * <p>A frame is valid if both checksums are right, its position matches its location, and its run
 * is not less than the run of the previous frame. So the remains of an earlier run are never valid.
 */
public final class RedoLayout {
  public static final int BLOCK = 4096;

  /** Format of these files; files of another format cannot be read. */
  public static final int FORMAT = 1;

  /** Kind of a frame: a transaction, or its last rows. */
  public static final int COMMIT = 1;

  /** Rows of a transaction that are valid only with a later COMMIT. */
  public static final int PART = 2;

  /** Start of a run. */
  static final int BEGIN = 3;

  /** Clean end of a run. */
  public static final int CLOSE = 4;

  /** Rows of a checkpoint; or of a backup, ordered by store and key. */
  public static final int ROWS = 5;

  /** End of a checkpoint or backup, with the number of its rows. */
  public static final int COMPLETE = 6;

  /** Unordered rows of a backup. */
  public static final int UNORDERED_ROWS = 7;

  /** Discards rows that were sent to a memory node; never in a file. */
  public static final int FORGET = 8;

  /**
   * A log checkpoint: all live nodes of a pool have the same commits before it. Its id is in the
   * transaction field.
   */
  public static final int MARK = 9;

  /** As {@link #COMMIT}, from the log of another node; valid only with a {@link #SWITCH}. */
  public static final int COPIED_COMMIT = 10;

  /** As {@link #PART}, from the log of another node; valid only with a {@link #SWITCH}. */
  public static final int COPIED_PART = 11;

  /**
   * Makes copied frames valid instead of earlier ones; contains the positions at which the earlier
   * and the copied frames start (8 each).
   */
  public static final int SWITCH = 12;

  public static final int HEADER = 48;
  public static final int ROW_HEADER = 12;

  /** Maximum length of a frame. */
  public static final int FRAME_MAX = 2 << 20;

  /** Length from which a frame gets no more rows. */
  static final int FRAME_FULL = 1 << 20;

  private static final int KIND_SHIFT = 28;
  private static final int LENGTH_MASK = (1 << KIND_SHIFT) - 1;
  private static final int RUN_OFFSET = 4;
  private static final int POSITION_OFFSET = 8;
  private static final int TIMESTAMP_OFFSET = 16;
  private static final int TRANSACTION_OFFSET = 24;
  private static final int FORCED_OFFSET = 32;
  private static final int BODY_SUM_OFFSET = 40;
  private static final int SUM_OFFSET = 44;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private RedoLayout() {}

  public static int getInt(byte[] bytes, int offset) {
    return (int) INTS.get(bytes, offset);
  }

  public static long getLong(byte[] bytes, int offset) {
    return (long) LONGS.get(bytes, offset);
  }

  public static int getShort(byte[] bytes, int offset) {
    return Short.toUnsignedInt((short) SHORTS.get(bytes, offset));
  }

  public static void putInt(byte[] bytes, int offset, int value) {
    INTS.set(bytes, offset, value);
  }

  public static void putLong(byte[] bytes, int offset, long value) {
    LONGS.set(bytes, offset, value);
  }

  static void putShort(byte[] bytes, int offset, int value) {
    SHORTS.set(bytes, offset, (short) value);
  }

  /** Returns the offset at which the next frame may start. */
  public static int padded(int length) {
    return (length + 7) & ~7;
  }

  public static int sum(CRC32C crc, byte[] bytes, int offset, int length) {
    crc.reset();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  /** Writes the header fields that do not depend on the position. */
  static void writeBody(byte[] frame, int kind, int length, int bodySum) {
    putInt(frame, 0, kind << KIND_SHIFT | length);
    putInt(frame, BODY_SUM_OFFSET, bodySum);
  }

  /** Changes the kind of a frame; the rest of its header has to be written again. */
  public static void writeKind(byte[] frame, int kind) {
    putInt(frame, 0, kind << KIND_SHIFT | length(frame));
  }

  /** Writes the other header fields. */
  public static void writePlace(
      byte[] frame,
      CRC32C crc,
      int run,
      long position,
      long timestamp,
      long transaction,
      long forced) {
    putInt(frame, RUN_OFFSET, run);
    putLong(frame, POSITION_OFFSET, position);
    putLong(frame, TIMESTAMP_OFFSET, timestamp);
    putLong(frame, TRANSACTION_OFFSET, transaction);
    putLong(frame, FORCED_OFFSET, forced);
    putInt(frame, SUM_OFFSET, sum(crc, frame, 0, SUM_OFFSET));
  }

  public static boolean isPart(int kind) {
    return kind == PART || kind == COPIED_PART;
  }

  public static boolean isCommit(int kind) {
    return kind == COMMIT || kind == COPIED_COMMIT;
  }

  public static boolean isCopied(int kind) {
    return kind == COPIED_COMMIT || kind == COPIED_PART;
  }

  public static int kind(byte[] frame) {
    return getInt(frame, 0) >>> KIND_SHIFT;
  }

  public static int length(byte[] frame) {
    return length(frame, 0);
  }

  /** Returns the length of the frame at an offset. */
  public static int length(byte[] frames, int offset) {
    return getInt(frames, offset) & LENGTH_MASK;
  }

  public static int run(byte[] frame) {
    return getInt(frame, RUN_OFFSET);
  }

  public static long position(byte[] frame) {
    return getLong(frame, POSITION_OFFSET);
  }

  public static long timestamp(byte[] frame) {
    return getLong(frame, TIMESTAMP_OFFSET);
  }

  public static long transaction(byte[] frame) {
    return getLong(frame, TRANSACTION_OFFSET);
  }

  public static long forced(byte[] frame) {
    return getLong(frame, FORCED_OFFSET);
  }

  /** Returns true if the bytes are the valid header of a frame at a position. */
  public static boolean isHeader(byte[] bytes, CRC32C crc, long position) {
    int length = length(bytes);
    return position(bytes) == position
        && length >= HEADER
        && length <= FRAME_MAX
        && getInt(bytes, SUM_OFFSET) == sum(crc, bytes, 0, SUM_OFFSET);
  }

  /** Returns true if the body of a frame matches its checksum. */
  public static boolean isBodyWhole(byte[] frame, CRC32C crc) {
    return getInt(frame, BODY_SUM_OFFSET) == sum(crc, frame, HEADER, length(frame) - HEADER);
  }
}
