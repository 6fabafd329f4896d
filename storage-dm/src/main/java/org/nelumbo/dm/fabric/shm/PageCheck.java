package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.nelumbo.dm.disk.SystemFile;
import org.nelumbo.dm.layout.DamagedPageLayout;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.PoolOpenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a memory node's file when it is opened, with the checksums that were written when it was
 * last released ({@link PageChecksums}). A damaged first page is restored. Any other damaged page
 * is filled with the pattern of {@link DamagedPageLayout} and counted in the first page, which each
 * attaching compute node reads. The damaged content is saved in a file beside the node's.
 */
final class PageCheck {
  private static final Logger LOG = LoggerFactory.getLogger(PageCheck.class);
  private static final int PAGE = DamagedPageLayout.PAGE_BYTES;
  private static final int NAMED_MAX = 10;

  private PageCheck() {}

  /**
   * Restores a damaged first page, before the size of the node is read from it.
   *
   * @param fileBytes current length of the file
   */
  static void restoreFirstPage(Path path, FileChannel file, long fileBytes) throws IOException {
    try (PageChecksums checksums = PageChecksums.open(path)) {
      if (checksums == null || fileBytes < checksums.nodeBytes()) {
        return;
      }
      MemorySegment first = PageChecksums.page(file, 0);
      if (!checksums.isOutdated(first) && !checksums.isFirstPage(first)) {
        LOG.error(
            "the first page of {} was corrupted: it was restored from {}",
            path,
            PageChecksums.beside(path));
        keep(path, file, List.of(0L));
        file.write(checksums.firstPage().asByteBuffer(), 0);
      }
    }
  }

  /** Checks all other pages. Returns true if the checksums are valid for the present content. */
  static boolean run(Path path, FileChannel file, MemorySegment memory) throws IOException {
    try (PageChecksums checksums = PageChecksums.open(path)) {
      if (checksums == null
          || checksums.nodeBytes() != memory.byteSize()
          || checksums.isOutdated(memory)) {
        markUnchecked(memory);
        return false;
      }
      List<Long> damaged = checksums.damaged(file);
      if (!damaged.isEmpty()) {
        keep(path, file, damaged);
        mark(path, memory, damaged);
      }
      return damaged.isEmpty();
    }
  }

  /** A record is the offset of the page (8 bytes), then the page. */
  private static void keep(Path path, FileChannel file, List<Long> pages) throws IOException {
    Path copy = kept(path);
    try (SystemFile made = SystemFile.open(copy, true);
        FileChannel out = made.openChannel()) {
      out.position(out.size());
      ByteBuffer record = ByteBuffer.allocate(Long.BYTES + PAGE);
      for (long each : pages) {
        record.clear().putLong(each).put(PageChecksums.page(file, each).asByteBuffer()).flip();
        while (record.hasRemaining()) {
          out.write(record);
        }
      }
    }
  }

  private static Path kept(Path path) {
    return path.resolveSibling(path.getFileName() + ".damaged");
  }

  /** Makes the next attach search the pool for damage, even if it was closed normally. */
  private static void markUnchecked(MemorySegment memory) {
    boolean isAlone =
        memory.get(ValueLayout.JAVA_LONG, SuperblockLayout.MAGIC_OFFSET) == SuperblockLayout.MAGIC;
    if (isAlone && memory.get(ValueLayout.JAVA_LONG, SuperblockLayout.DAMAGED_OFFSET) == 0) {
      memory.set(
          ValueLayout.JAVA_LONG, SuperblockLayout.DAMAGED_OFFSET, SuperblockLayout.UNCHECKED);
    }
  }

  private static void mark(Path path, MemorySegment memory, List<Long> damaged) {
    for (long each : damaged) {
      DamagedPageLayout.fill(memory, each);
    }
    boolean hasCopies =
        memory.get(ValueLayout.JAVA_LONG, NodeHeaderLayout.MAGIC_OFFSET) == NodeHeaderLayout.MAGIC;
    int count = hasCopies ? NodeHeaderLayout.DAMAGED_OFFSET : SuperblockLayout.DAMAGED_OFFSET;
    memory.set(
        ValueLayout.JAVA_LONG, count, memory.get(ValueLayout.JAVA_LONG, count) + damaged.size());
    LOG.error(
        "{} pages of {} are corrupted, at offsets {}{}: {}; their contents were saved in {}",
        damaged.size(),
        path,
        damaged.stream()
            .limit(NAMED_MAX)
            .map(each -> "0x" + Long.toHexString(each))
            .collect(Collectors.joining(", ")),
        damaged.size() > NAMED_MAX ? ", ..." : "",
        hasCopies
            ? "the node is filled from the other copies"
            : "statements on tables with data there fail with XX001, all other data can be used",
        kept(path));
  }

  /** Creates the exception for an I/O error during the check. */
  static PoolOpenException failed(Path path, IOException why) {
    return new PoolOpenException(
        "cannot check the pages of the memory node's file " + path + ": " + why.getMessage(), why);
  }
}
