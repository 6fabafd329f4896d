package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.fabric.local.MappedPages;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.PoolOwner;

/**
 * A memory node in a file, locked against other processes and mapped.
 *
 * <p>The lock is the system's, on the whole file: it ends with the process that holds it, however
 * that ends, and with it the process's writes; so who gets the lock knows that the owner before is
 * fenced. It belongs to the process, and would be lost if the same file were closed anywhere else
 * in it; hence the set of files that this process has.
 */
public final class NodeFile implements NodeMemory {
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();
  private static final int PAGE = 4096;

  private final Path path;
  private final FileChannel file;
  private Arena arena;
  private MemorySegment memory;

  private NodeFile(Path path, FileChannel file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Opens and locks a file, which is made if it is not there.
   *
   * @param exclusive whether to keep all others out, or only those who want to be alone
   * @throws PoolOpenException if somebody else has it, or it cannot be opened
   */
  public static NodeFile open(Path path, boolean exclusive) {
    Path real = realPath(path);
    if (Files.exists(real) && !Files.isRegularFile(real)) {
      throw new PoolOpenException("a pool is in a regular file, which this is not: " + real);
    }
    if (!HELD.add(real)) {
      throw new PoolOpenException(
          "the pool is open in this process already: share its connections file=" + real);
    }
    FileChannel file = null;
    try {
      file =
          FileChannel.open(
              real, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
      if (file.tryLock(0, Long.MAX_VALUE, !exclusive) == null) {
        throw new PoolOpenException(
            "the pool is in use by "
                + owner(file)
                + ": one compute node at a time can attach to it; end that one, or wait until it"
                + " has ended file="
                + real);
      }
      return new NodeFile(real, file);
    } catch (IOException e) {
      closeQuietly(file);
      HELD.remove(real);
      throw new PoolOpenException("cannot open the memory node's file " + real + ": " + e, e);
    } catch (RuntimeException e) {
      closeQuietly(file);
      HELD.remove(real);
      throw e;
    }
  }

  private static Path realPath(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      return absolute.getParent().toRealPath().resolve(absolute.getFileName());
    } catch (IOException e) {
      throw new PoolOpenException(
          "there is no directory " + absolute.getParent() + " for the pool: make it first", e);
    }
  }

  private static String owner(FileChannel file) throws IOException {
    ByteBuffer page = ByteBuffer.allocate(PAGE);
    while (page.hasRemaining() && file.read(page, page.position()) > 0) {
      // reads on
    }
    String name = PoolOwner.name(MemorySegment.ofArray(longs(page)));
    return name.isEmpty() ? "another process" : name;
  }

  private static long[] longs(ByteBuffer page) {
    long[] words = new long[PAGE / Long.BYTES];
    page.clear().order(ByteOrder.nativeOrder()).asLongBuffer().get(words);
    return words;
  }

  private static void closeQuietly(FileChannel file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path() {
    return path;
  }

  /** Length of the file as it is. */
  long fileBytes() {
    try {
      return file.size();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Whether there is nothing in the file, or a pool that was being made when its maker died. */
  boolean isNew() {
    long[] page = firstPage();
    return fileBytes() == 0
        || (page[SuperblockLayout.MAGIC_OFFSET / Long.BYTES] == 0
            && page[SuperblockLayout.PARAMETERS_OFFSET / Long.BYTES]
                == SuperblockLayout.PARAMETERS);
  }

  /** Makes the file known as one that is about to become a memory node, see {@link #isNew}. */
  void markNew() {
    ByteBuffer page = ByteBuffer.allocate(PAGE).order(ByteOrder.nativeOrder());
    page.putLong(SuperblockLayout.PARAMETERS_OFFSET, SuperblockLayout.PARAMETERS);
    try {
      while (page.hasRemaining()) {
        file.write(page, page.position());
      }
    } catch (IOException e) {
      throw new PoolOpenException("cannot write the memory node's file " + path + ": " + e, e);
    }
  }

  /** Words of the file's first page; zero where the file is shorter. */
  private long[] firstPage() {
    try {
      ByteBuffer page = ByteBuffer.allocate(PAGE);
      while (page.hasRemaining() && file.read(page, page.position()) > 0) {
        // reads on
      }
      return longs(page);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Bytes of the node that the superblock tells, 0 if the file has none. */
  long formattedBytes() {
    long[] page = firstPage();
    return page[SuperblockLayout.MAGIC_OFFSET / Long.BYTES] == SuperblockLayout.MAGIC
        ? page[SuperblockLayout.NODE_BYTES_OFFSET / Long.BYTES]
        : 0;
  }

  /**
   * Bytes of the node if it belongs to a pool with copies, or was being made one when it stopped
   * (then it is empty, and taken for that); 0 if it does not.
   */
  long replicatedBytes() {
    long[] page = firstPage();
    long magic = page[NodeHeaderLayout.MAGIC_OFFSET / Long.BYTES];
    long bytes = page[NodeHeaderLayout.NODE_BYTES_OFFSET / Long.BYTES];
    boolean isHalfMade =
        magic == 0
            && NodeHeaderLayout.isReadable((int) page[NodeHeaderLayout.FORMAT_OFFSET / Long.BYTES])
            && page[NodeHeaderLayout.COPIES_OFFSET / Long.BYTES] > 0
            && bytes == fileBytes();
    return magic == NodeHeaderLayout.MAGIC || isHalfMade ? bytes : 0;
  }

  /** Bytes that the file system has left. */
  long usableBytes() {
    try {
      return Files.getFileStore(path).getUsableSpace();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private PoolOpenException unreadable(IOException e) {
    return new PoolOpenException("cannot read the memory node's file " + path + ": " + e, e);
  }

  /** Maps the file, which grows to {@code bytes} if it is shorter; what is new reads as zero. */
  public NodeFile map(long bytes) {
    Arena mapping = Arena.ofShared();
    try {
      memory = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, mapping);
      arena = mapping;
    } catch (IOException e) {
      mapping.close();
      throw new PoolOpenException(
          "cannot map " + bytes + " bytes of the memory node's file " + path + ": " + e, e);
    }
    return this;
  }

  @Override
  public long address() {
    return memory.address();
  }

  @Override
  public long bytes() {
    return memory.byteSize();
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public boolean populate(long offset, long length) {
    return MappedPages.populate(memory.address() + offset, length);
  }

  @Override
  public void release() {
    if (arena != null) {
      arena.close();
    }
    closeQuietly(file);
    HELD.remove(path);
  }
}
