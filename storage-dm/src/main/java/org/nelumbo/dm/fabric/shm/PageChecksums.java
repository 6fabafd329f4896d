package org.nelumbo.dm.fabric.shm;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.nelumbo.dm.disk.SystemFile;
import org.nelumbo.dm.layout.DamagedPageLayout;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;

/**
 * Checksums of the pages of a memory node's file, in a separate file beside it. They are computed
 * while the node is unused, and the checksum file exists only while it is unused.
 *
 * <pre>
 *    0  magic "NELUSUMS"
 *    8  format (4) | ranges (4)
 *   16  ranges: offset of the first page (8), bytes (8)
 *    .  the first page of the node
 *    .  CRC32C of each page of the ranges (4 each)
 *    .  CRC32C of all bytes before it (4)
 * </pre>
 *
 * The ranges are the allocated memory. The first page is stored completely, since nothing can be
 * found without it. It also identifies the pool of the checksums and its epoch: a process that does
 * not support checksums may have used the node since, but has then raised the epoch.
 */
final class PageChecksums implements AutoCloseable {
  private static final int PAGE = DamagedPageLayout.PAGE_BYTES;
  private static final long MAGIC = 0x534D5553554C454EL;
  private static final int FORMAT = 1;
  private static final int FORMAT_OFFSET = 8;
  private static final int COUNT_OFFSET = 12;
  private static final int RANGES_OFFSET = 16;
  private static final int RANGE_BYTES = 16;
  private static final int RANGES_MAX = 1 << 16;
  private static final int BUFFER_BYTES = 1 << 16;

  private static final int STEP_BYTES = 1 << 20;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Arena arena;
  private final MemorySegment file;

  private PageChecksums(Arena arena, MemorySegment file) {
    this.arena = arena;
    this.file = file;
  }

  /** Returns the path of the checksum file of a node's file. */
  static Path beside(Path path) {
    return path.resolveSibling(path.getFileName() + ".sums");
  }

  /**
   * Opens the checksum file of a node's file.
   *
   * @return the checksums, or null if there is no complete checksum file
   */
  static PageChecksums open(Path path) throws IOException {
    SystemFile found = SystemFile.open(beside(path), false);
    if (found == null) {
      return null;
    }
    Arena arena = Arena.ofShared();
    PageChecksums checksums = null;
    try (found;
        FileChannel channel = found.openChannel()) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      checksums = isWhole(mapped) ? new PageChecksums(arena, mapped) : null;
      return checksums;
    } finally {
      if (checksums == null) {
        arena.close();
      }
    }
  }

  private static boolean isWhole(MemorySegment file) {
    long bytes = file.byteSize();
    return bytes > RANGES_OFFSET + PAGE
        && file.get(LONG, 0) == MAGIC
        && file.get(INT, FORMAT_OFFSET) == FORMAT
        && file.get(INT, COUNT_OFFSET) <= RANGES_MAX
        && file.get(INT, bytes - Integer.BYTES) == checksum(file, bytes - Integer.BYTES);
  }

  private static int checksum(MemorySegment file, long length) {
    CRC32C sum = new CRC32C();
    for (long done = 0; done < length; done += STEP_BYTES) {
      sum.update(file.asSlice(done, Math.min(STEP_BYTES, length - done)).asByteBuffer());
    }
    return (int) sum.getValue();
  }

  private record Range(long offset, long bytes) {}

  /**
   * Writes the checksum file. An incomplete file is ignored by {@link #open}.
   *
   * @param node the node's file. It is read, not mapped, because a mapping of a file that is
   *     truncated meanwhile could end the process
   * @param isCancelled returns true to stop and to remove the file
   * @return true if the file is complete
   */
  static boolean write(Path path, FileChannel node, BooleanSupplier isCancelled)
      throws IOException {
    boolean isWritten = false;
    remove(path);
    try (SystemFile made = SystemFile.open(beside(path), true);
        FileChannel channel = made.openChannel()) {
      Output out = new Output(channel);
      List<Range> ranges = ranges(node);
      out.room(RANGES_OFFSET).putLong(MAGIC).putInt(FORMAT).putInt(ranges.size());
      for (Range each : ranges) {
        out.room(RANGE_BYTES).putLong(each.offset).putLong(each.bytes);
      }
      out.room(PAGE).put(page(node, 0).asByteBuffer());
      isWritten = true;
      for (Range each : ranges) {
        isWritten &= checksums(node, each, isCancelled, (at, sum) -> out.putInt(sum));
      }
      out.end();
      return isWritten;
    } finally {
      if (!isWritten) {
        remove(path);
      }
    }
  }

  @FunctionalInterface
  private interface Sums {
    void add(long offset, int sum) throws IOException;
  }

  private static boolean checksums(
      FileChannel node, Range range, BooleanSupplier isCancelled, Sums out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(STEP_BYTES);
    CRC32C sum = new CRC32C();
    long end = range.offset + range.bytes;
    for (long at = range.offset; at < end; at += STEP_BYTES) {
      if (isCancelled.getAsBoolean()) {
        return false;
      }
      int length = (int) Math.min(STEP_BYTES, end - at);
      read(node, at, buffer.clear().limit(length));
      for (int page = 0; page < length; page += PAGE) {
        sum.reset();
        sum.update(buffer.limit(page + PAGE).position(page));
        out.add(at + page, (int) sum.getValue());
      }
    }
    return true;
  }

  private static void read(FileChannel node, long offset, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (node.read(buffer, offset + buffer.position()) < 0) {
        throw new EOFException("the memory node's file was truncated");
      }
    }
  }

  /** Reads a page of a node's file. */
  static MemorySegment page(FileChannel node, long offset) throws IOException {
    ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
    read(node, offset, page);
    return MemorySegment.ofBuffer(page.clear());
  }

  private static List<Range> ranges(FileChannel node) throws IOException {
    List<Range> ranges = new ArrayList<>();
    MemorySegment first = page(node, 0);
    long magic = first.get(LONG, SuperblockLayout.MAGIC_OFFSET);
    if (magic == SuperblockLayout.MAGIC) {
      add(ranges, first, PAGE, PAGE, first.get(LONG, SuperblockLayout.NODE_BYTES_OFFSET));
    } else if (magic == NodeHeaderLayout.MAGIC) {
      long slotBytes = first.get(LONG, NodeHeaderLayout.SLOT_BYTES_OFFSET);
      long copies = first.get(LONG, NodeHeaderLayout.COPIES_OFFSET);
      long homes = Math.max(1, first.get(LONG, NodeHeaderLayout.VIRTUAL_NODES_OFFSET));
      long at = NodeHeaderLayout.LENGTH;
      for (long slot = 0; slot < copies * homes; slot++) {
        add(ranges, page(node, at), at, 0, slotBytes);
        at += slotBytes;
      }
    }
    return ranges;
  }

  /**
   * Adds the allocated range of a logical node.
   *
   * @param offset offset of the first added page, which is page {@code from} of that node
   */
  private static void add(
      List<Range> ranges, MemorySegment superblock, long offset, long from, long limit) {
    boolean isFormatted =
        superblock.get(LONG, SuperblockLayout.MAGIC_OFFSET) == SuperblockLayout.MAGIC;
    long used = isFormatted ? superblock.get(LONG, SuperblockLayout.BUMP_OFFSET) : PAGE;
    long end = Math.min(used + PAGE - 1, limit) & -PAGE;
    if (end > from) {
      ranges.add(new Range(offset, end - from));
    }
  }

  private static final class Output {
    private final FileChannel channel;
    private final CRC32C sum = new CRC32C();
    private final ByteBuffer buffer =
        ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    Output(FileChannel channel) {
      this.channel = channel;
    }

    /** Returns the buffer with room for a number of bytes. */
    ByteBuffer room(int bytes) throws IOException {
      if (buffer.remaining() < bytes) {
        flush();
      }
      return buffer;
    }

    void putInt(int value) throws IOException {
      room(Integer.BYTES).putInt(value);
    }

    private void flush() throws IOException {
      sum.update(buffer.flip());
      write();
    }

    private void write() throws IOException {
      buffer.rewind();
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      buffer.clear();
    }

    void end() throws IOException {
      flush();
      buffer.putInt((int) sum.getValue()).flip();
      write();
    }
  }

  static void remove(Path path) throws IOException {
    Files.deleteIfExists(beside(path));
  }

  private long firstPageOffset() {
    return RANGES_OFFSET + (long) file.get(INT, COUNT_OFFSET) * RANGE_BYTES;
  }

  /** Returns the first page of the node as it was when the checksums were written. */
  MemorySegment firstPage() {
    return file.asSlice(firstPageOffset(), PAGE);
  }

  /** Returns the size of the node in bytes. */
  long nodeBytes() {
    return firstPage().get(LONG, SuperblockLayout.NODE_BYTES_OFFSET);
  }

  /**
   * Returns true if a process that writes no checksums has used the node since, or the file
   * contains another pool.
   *
   * @param first current first page
   */
  boolean isOutdated(MemorySegment first) {
    long magic = first.get(LONG, SuperblockLayout.MAGIC_OFFSET);
    boolean isPool =
        (magic == SuperblockLayout.MAGIC || magic == NodeHeaderLayout.MAGIC)
            && first.get(LONG, SuperblockLayout.NODE_BYTES_OFFSET) == nodeBytes();
    return isPool
        && (isDifferent(first, SuperblockLayout.POOL_ID_OFFSET)
            || isDifferent(first, SuperblockLayout.EPOCH_OFFSET));
  }

  /** Returns true if the first page is unchanged, except for the word that each process writes. */
  boolean isFirstPage(MemorySegment first) {
    boolean isSame = true;
    for (int at = 0; at < PAGE && isSame; at += Long.BYTES) {
      isSame = at == SuperblockLayout.INCARNATION_OFFSET || !isDifferent(first, at);
    }
    return isSame;
  }

  private boolean isDifferent(MemorySegment first, int offset) {
    return first.get(LONG, offset) != firstPage().get(LONG, offset);
  }

  /**
   * Returns the offsets of the pages that differ from their checksums; the first page is not
   * checked.
   */
  List<Long> damaged(FileChannel node) throws IOException {
    List<Long> damaged = new ArrayList<>();
    long[] next = {firstPageOffset() + PAGE};
    for (int i = 0; i < file.get(INT, COUNT_OFFSET); i++) {
      long at = RANGES_OFFSET + (long) i * RANGE_BYTES;
      Range range = new Range(file.get(LONG, at), file.get(LONG, at + Long.BYTES));
      checksums(
          node,
          range,
          () -> false,
          (page, sum) -> {
            if (sum != file.get(INT, next[0])) {
              damaged.add(page);
            }
            next[0] += Integer.BYTES;
          });
    }
    return damaged;
  }

  @Override
  public void close() {
    arena.close();
  }
}
