package org.nelumbo.dm.redo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The first block of a file: see {@link RedoLayout}.
 *
 * @param magic kind of the file
 * @param rowFormat format of row images
 * @param database id of the database that the file belongs to
 * @param first number whose meaning depends on the kind of file
 * @param second second such number
 * @param third third such number
 * @param timestamp timestamp that is not below any that was drawn before
 */
public record FileHeader(
    long magic, int rowFormat, long database, long first, long second, long third, long timestamp) {
  /** The file that identifies the database; numbers: segment size in bytes, time of creation, 0. */
  public static final long DATABASE = magic("NELDATAB");

  /**
   * A segment of the log; numbers: number of the segment, its bytes, 0. In the archive of a memory
   * node the third number is the id of the node, and the timestamp is not below that of any commit
   * in the earlier segments.
   */
  public static final long SEGMENT = magic("NELREDO1");

  /** A checkpoint; numbers: position of the log, its number, run. */
  public static final long CHECKPOINT = magic("NELCHECK");

  /**
   * A backup; numbers: its own number, number of the full backup it builds upon, timestamp of the
   * previous backup.
   */
  public static final long BACKUP = magic("NELBACKU");

  /** The file with the forced position at the last clean close; numbers: position, 0, 0. */
  static final long FORCED = magic("NELFORCE");

  /** The memory of a pool; numbers: position of the log, bytes of the memory, run. */
  public static final long MEMORY = magic("NELMEMOR");

  /** The file with the name of a pool; numbers: 0. */
  public static final long POOL_NAME = magic("NELPNAME");

  /** The file that identifies the memory node of the log; numbers: id of the node, 0, 0. */
  static final long NODE_ID = magic("NELNODID");

  private static final int LENGTH = 64;
  private static final int SUM_OFFSET = 56;

  private static long magic(String text) {
    long value = 0;
    for (int i = text.length() - 1; i >= 0; i--) {
      value = value << 8 | text.charAt(i);
    }
    return value;
  }

  public void write(DiskFile file) throws IOException {
    byte[] bytes = new byte[RedoLayout.BLOCK];
    RedoLayout.putLong(bytes, 0, magic);
    RedoLayout.putInt(bytes, 8, RedoLayout.FORMAT);
    RedoLayout.putInt(bytes, 12, rowFormat);
    RedoLayout.putLong(bytes, 16, database);
    RedoLayout.putLong(bytes, 24, first);
    RedoLayout.putLong(bytes, 32, second);
    RedoLayout.putLong(bytes, 40, third);
    RedoLayout.putLong(bytes, 48, timestamp);
    RedoLayout.putInt(bytes, SUM_OFFSET, RedoLayout.sum(new CRC32C(), bytes, 0, SUM_OFFSET));
    file.write(ByteBuffer.wrap(bytes), 0);
  }

  /**
   * Reads the header of a file.
   *
   * @return the header, or null if it is incomplete or of another kind
   * @throws PoolOpenException if another version of Nelumbo has written the file
   */
  public static FileHeader read(DiskFile file, String name, long magic) throws IOException {
    byte[] bytes = new byte[LENGTH];
    int count = file.read(ByteBuffer.wrap(bytes), 0);
    boolean whole =
        count == LENGTH
            && RedoLayout.getLong(bytes, 0) == magic
            && RedoLayout.getInt(bytes, SUM_OFFSET)
                == RedoLayout.sum(new CRC32C(), bytes, 0, SUM_OFFSET);
    if (!whole) {
      return null;
    }
    if (RedoLayout.getInt(bytes, 8) != RedoLayout.FORMAT) {
      throw new PoolOpenException(
          "the file "
              + name
              + " was written by another version of Nelumbo: open it with that one format="
              + RedoLayout.getInt(bytes, 8)
              + " expected="
              + RedoLayout.FORMAT);
    }
    return new FileHeader(
        magic,
        RedoLayout.getInt(bytes, 12),
        RedoLayout.getLong(bytes, 16),
        RedoLayout.getLong(bytes, 24),
        RedoLayout.getLong(bytes, 32),
        RedoLayout.getLong(bytes, 40),
        RedoLayout.getLong(bytes, 48));
  }
}
