package org.nelumbo.dm.redo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.MemorySource;
import org.nelumbo.dm.pool.PoolAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of a pool at the clean close of its database, in a file beside the log. Checkpoint and
 * log contain the same data; the image only saves the time of building the pool from them.
 *
 * <p>The image is valid if the log ends with the same CLOSE at the same position. When another run
 * has begun, the image is useless, whatever happens to its file. The next one is then written into
 * the same disk blocks. The header is written last, after all other bytes are forced.
 *
 * <pre>
 *    0  header: position of the log, bytes of the memory, run (4) and last CRC32C (4); timestamp of
 *       the CLOSE
 * 4096  memory from its first byte on
 *    .  format of the pool (8) | its parameters (8) | bytes of the node (8) | the next id (8)
 *    .  CRC32C of each piece of 64 KiB (4) | CRC32C of all bytes behind the memory (4)
 * </pre>
 *
 * <p>Thread-safe once it is open.
 */
public final class MemoryImage implements MemorySource {
  public static final String NAME = "MEMORY";
  static final int PIECE_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(MemoryImage.class);
  private static final int FIXED_BYTES = 4 * Long.BYTES;

  private final Disk disk;
  private final DiskFile file;
  private final FileHeader header;
  private final long nodeBytes;
  private final int nextId;
  private final int[] sums;

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private Consumer<Throwable> onDamage = why -> {};
  private FabricException damage;

  private MemoryImage(Disk disk, DiskFile file, FileHeader header, byte[] table) {
    this.disk = disk;
    this.file = file;
    this.header = header;
    this.nodeBytes = RedoLayout.getLong(table, 2 * Long.BYTES);
    this.nextId = (int) RedoLayout.getLong(table, 3 * Long.BYTES);
    this.sums = new int[pieces(header.second())];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = RedoLayout.getInt(table, FIXED_BYTES + i * Integer.BYTES);
    }
  }

  /**
   * Returns the third number of the header. It contains the last checksum, so that header and table
   * match only if they were written together.
   */
  private static long third(int run, int sum) {
    return (long) sum << Integer.SIZE | Integer.toUnsignedLong(run);
  }

  private static int pieces(long bytes) {
    return Math.toIntExact((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
  }

  private static int tableBytes(long bytes) {
    return FIXED_BYTES + (pieces(bytes) + 1) * Integer.BYTES;
  }

  /**
   * Opens the image on a disk.
   *
   * @param database id of the database
   * @return the image, or null if there is none that this version can use
   */
  public static MemoryImage open(Disk disk, long database) throws IOException {
    if (!disk.list().contains(NAME)) {
      return null;
    }
    DiskFile file = disk.open(NAME);
    MemoryImage image = null;
    try {
      FileHeader header = FileHeader.read(file, NAME, FileHeader.MEMORY);
      if (header != null && header.database() == database) {
        image = read(disk, file, header);
      }
      return image;
    } finally {
      if (image == null) {
        file.close();
      }
    }
  }

  private static MemoryImage read(Disk disk, DiskFile file, FileHeader header) throws IOException {
    byte[] table = table(file, header);
    boolean isOurs =
        table != null
            && RedoLayout.getLong(table, 0) == SuperblockLayout.FORMAT
            && RedoLayout.getLong(table, Long.BYTES) == SuperblockLayout.PARAMETERS;
    return isOurs ? new MemoryImage(disk, file, header, table) : null;
  }

  private static byte[] table(DiskFile file, FileHeader header) throws IOException {
    byte[] table = new byte[tableBytes(header.second())];
    int count = file.read(ByteBuffer.wrap(table), RedoLayout.BLOCK + header.second());
    int sumOffset = table.length - Integer.BYTES;
    boolean isWhole =
        count == table.length
            && RedoLayout.getInt(table, sumOffset)
                == RedoLayout.sum(new CRC32C(), table, 0, sumOffset)
            && isOf(header, RedoLayout.getInt(table, sumOffset));
    return isWhole ? table : null;
  }

  private static boolean isOf(FileHeader header, int sum) {
    return sum == (int) (header.third() >>> Integer.SIZE);
  }

  /**
   * Returns the first damaged offset in the file of an image that would be used if the log ends at
   * a position; negative if it is undamaged, or there is no such image.
   */
  public static long firstDamaged(Disk disk, long position) throws IOException {
    if (!disk.list().contains(NAME)) {
      return -1;
    }
    try (DiskFile file = disk.open(NAME)) {
      ByteBuffer first = ByteBuffer.allocate(RedoLayout.BLOCK);
      file.read(first, 0);
      if (first.clear().mismatch(ByteBuffer.allocate(RedoLayout.BLOCK)) < 0) {
        return -1; // it is void
      }
      FileHeader header = FileHeader.read(file, NAME, FileHeader.MEMORY);
      if (header == null || header.first() != position) {
        return header == null ? 0 : -1;
      }
      byte[] table = table(file, header);
      return table == null
          ? RedoLayout.BLOCK + header.second()
          : new MemoryImage(disk, file, header, table).firstDamaged();
    }
  }

  /** Returns the position behind the CLOSE of the log. */
  public long position() {
    return header.first();
  }

  /** Returns the run that ended with that CLOSE. */
  public int run() {
    return (int) header.third();
  }

  /** Returns the timestamp of the CLOSE. */
  public long timestamp() {
    return header.timestamp();
  }

  /** Returns the size of the memory node in bytes. */
  public long nodeBytes() {
    return nodeBytes;
  }

  /** Returns an id that no store has had. */
  public int nextId() {
    return nextId;
  }

  @Override
  public long bytes() {
    return header.second();
  }

  @Override
  public int pieceBytes() {
    return PIECE_BYTES;
  }

  @Override
  public void read(long offset, ByteBuffer target) {
    try {
      if (!isWhole(offset, target)) {
        throw damaged("it is corrupted", offset, null);
      }
    } catch (IOException e) {
      throw damaged(e.toString(), offset, e);
    }
  }

  private boolean isWhole(long offset, ByteBuffer target) throws IOException {
    int from = target.position();
    int length = target.remaining();
    int count = file.read(target, RedoLayout.BLOCK + offset);
    CRC32C crc = new CRC32C();
    crc.update(target.duplicate().position(from).limit(from + count));
    return count == length && (int) crc.getValue() == sums[(int) (offset / PIECE_BYTES)];
  }

  /** Returns the offset in the file of the first damaged piece; negative if there is none. */
  private long firstDamaged() throws IOException {
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
    for (long at = 0; at < bytes(); at += PIECE_BYTES) {
      piece.clear().limit((int) Math.min(PIECE_BYTES, bytes() - at));
      if (!isWhole(at, piece)) {
        return RedoLayout.BLOCK + at;
      }
    }
    return -1;
  }

  /** The next opening builds the pool from checkpoint and log. */
  private FabricException damaged(String why, long offset, IOException cause) {
    invalidate();
    FabricException found =
        new FabricException(
            "the file "
                + NAME
                + " in "
                + disk.location()
                + " cannot be read: "
                + why
                + "; checkpoint and log contain the same data: open the database again offset="
                + (RedoLayout.BLOCK + offset),
            cause);
    Consumer<Throwable> action;
    lock.lock();
    try {
      damage = found;
      action = onDamage;
    } finally {
      lock.unlock();
    }
    action.accept(found);
    return found;
  }

  /**
   * Sets the action for a damaged piece, because the memory is in use while pieces are still being
   * loaded.
   *
   * @param action runs before the exception reaches the thread that needs the piece
   */
  public void whenDamaged(Consumer<Throwable> action) {
    FabricException found;
    lock.lock();
    try {
      onDamage = action;
      found = damage;
    } finally {
      lock.unlock();
    }
    if (found != null) {
      action.accept(found);
    }
  }

  private boolean isDamaged() {
    lock.lock();
    try {
      return damage != null;
    } finally {
      lock.unlock();
    }
  }

  private void invalidate() {
    try (DiskFile opened = disk.open(NAME)) {
      opened.write(ByteBuffer.allocate(RedoLayout.BLOCK), 0);
      opened.force();
    } catch (IOException e) {
      LOG.warn("the file {} in {} cannot be written: {}", NAME, disk.location(), e.toString());
    }
  }

  /**
   * Makes the image valid for the end of a later run in which nothing was committed, unless it is
   * damaged.
   */
  public void renew(long position, int run, long timestamp) {
    if (isDamaged()) {
      return;
    }
    FileHeader renewed =
        new FileHeader(
            FileHeader.MEMORY,
            header.rowFormat(),
            header.database(),
            position,
            header.second(),
            third(run, (int) (header.third() >>> Integer.SIZE)),
            timestamp);
    try (DiskFile opened = disk.open(NAME)) {
      renewed.write(opened);
      opened.force();
    } catch (IOException e) {
      LOG.warn("the file {} in {} cannot be written: {}", NAME, disk.location(), e.toString());
    }
  }

  /**
   * Writes the memory of a pool that is no longer changed. An error is only logged: it costs time
   * at the next opening.
   *
   * @param header header without the bytes of the memory
   * @param fabric access to the memory, a single node
   * @param nextId id that no store has had
   */
  public static void write(Disk disk, FileHeader header, Fabric fabric, int nextId) {
    try {
      boolean isThere = disk.list().contains(NAME);
      try (DiskFile file = isThere ? disk.open(NAME) : disk.create(NAME)) {
        if (isThere) {
          file.write(ByteBuffer.allocate(RedoLayout.BLOCK), 0);
          file.force();
        }
        try (Channel channel = fabric.openChannel(PIECE_BYTES)) {
          write(file, header, fabric, channel, nextId);
        }
      }
      if (!isThere) {
        disk.forceNames();
      }
    } catch (IOException e) {
      LOG.warn(
          "the memory of the database was not written, so opening it takes longer directory={}: {}",
          disk.location(),
          e.toString());
      discard(disk);
    }
  }

  private static void write(
      DiskFile file, FileHeader header, Fabric fabric, Channel channel, int nextId)
      throws IOException {
    channel.read(PoolAddress.of(0, SuperblockLayout.BUMP_OFFSET), 0, Long.BYTES);
    channel.flush();
    long bump = channel.staging().asByteBuffer().order(ByteOrder.nativeOrder()).getLong(0);
    long bytes = Math.min((bump + RedoLayout.BLOCK - 1) & -RedoLayout.BLOCK, fabric.nodeBytes(0));
    byte[] table = new byte[tableBytes(bytes)];
    RedoLayout.putLong(table, 0, SuperblockLayout.FORMAT);
    RedoLayout.putLong(table, Long.BYTES, SuperblockLayout.PARAMETERS);
    RedoLayout.putLong(table, 2 * Long.BYTES, fabric.nodeBytes(0));
    RedoLayout.putLong(table, 3 * Long.BYTES, nextId);
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
    CRC32C crc = new CRC32C();
    for (int i = 0; i < pieces(bytes); i++) {
      long offset = (long) i * PIECE_BYTES;
      piece.clear().limit((int) Math.min(PIECE_BYTES, bytes - offset));
      read(channel, offset, piece);
      piece.flip();
      crc.reset();
      crc.update(piece.duplicate());
      RedoLayout.putInt(table, FIXED_BYTES + i * Integer.BYTES, (int) crc.getValue());
      file.write(piece, RedoLayout.BLOCK + offset);
    }
    int sumOffset = table.length - Integer.BYTES;
    int sum = RedoLayout.sum(crc, table, 0, sumOffset);
    RedoLayout.putInt(table, sumOffset, sum);
    file.write(ByteBuffer.wrap(table), RedoLayout.BLOCK + bytes);
    file.force();
    new FileHeader(
            FileHeader.MEMORY,
            header.rowFormat(),
            header.database(),
            header.first(),
            bytes,
            third((int) header.third(), sum),
            header.timestamp())
        .write(file);
    file.force();
  }

  private static void read(Channel channel, long offset, ByteBuffer piece) {
    int length = piece.remaining();
    channel.read(PoolAddress.of(0, offset), 0, length);
    channel.flush();
    piece.put(channel.staging().asSlice(0, length).asByteBuffer());
  }

  /** Removes the file if it exists, because other files may need the space. */
  static boolean discard(Disk disk) {
    try {
      boolean isThere = disk.list().contains(NAME);
      if (isThere) {
        disk.delete(NAME);
      }
      return isThere;
    } catch (IOException e) {
      LOG.debug("cannot remove the file {} yet: {}", NAME, e.toString());
      return false;
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.debug("the file {} was not closed: {}", NAME, e.toString());
    }
  }
}
