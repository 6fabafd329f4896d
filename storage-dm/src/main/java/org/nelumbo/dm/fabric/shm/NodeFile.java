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
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.disk.HeldFiles;
import org.nelumbo.dm.disk.NetworkFileSystems;
import org.nelumbo.dm.disk.SystemFile;
import org.nelumbo.dm.fabric.local.MappedPages;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.PoolOwner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A memory node in a file, locked against other processes and mapped.
 *
 * <p>The lock is a lock of the operating system on the open file. It ends with the process that
 * holds it, however that process ends, and at that time the process can no longer write. So a
 * process that acquires the lock has fenced the previous owner. See {@link SystemFile} for the
 * limits of this lock.
 */
public final class NodeFile implements NodeMemory {
  private static final Logger LOG = LoggerFactory.getLogger(NodeFile.class);
  private static final int PAGE = 4096;

  private final Path path;
  private final SystemFile locked;
  private final SystemFile.Identity identity;
  private final FileChannel file;
  private Arena arena;
  private MemorySegment memory;

  /** True if checksums are written when the file is released. */
  private boolean hasChecksums;

  /** True if the checksum file is valid for the present content of the memory. */
  private boolean isSealed;

  private NodeFile(Path path, SystemFile locked, SystemFile.Identity identity, FileChannel file) {
    this.path = path;
    this.locked = locked;
    this.identity = identity;
    this.file = file;
  }

  /**
   * Opens and locks a file on a local file system.
   *
   * @param exclusive true to exclude all other processes; false to exclude only those that request
   *     exclusive access
   * @param isMade true to create a missing file, which only its owner can read
   * @return the file, or null if it is missing and is not created
   * @throws PoolOpenException if another process has locked it, or it cannot be opened
   */
  static NodeFile open(Path path, boolean exclusive, boolean isMade) {
    Path real = realPath(path);
    if (Files.exists(real) && !Files.isRegularFile(real)) {
      throw new PoolOpenException("a pool must be a regular file, which this is not: " + real);
    }
    NetworkFileSystems.refuse(real);
    try {
      while (true) {
        SystemFile found = SystemFile.open(real, isMade);
        if (found == null) {
          return null;
        }
        NodeFile file = lock(real, found, exclusive);
        if (file.isInPlace()) {
          return file;
        }
        file.release(); // removed between open and lock
      }
    } catch (IOException e) {
      throw new PoolOpenException(
          "cannot open the memory node's file " + real + ": " + e.getMessage(), e);
    }
  }

  private static NodeFile lock(Path path, SystemFile found, boolean exclusive) throws IOException {
    SystemFile.Identity identity = null;
    NodeFile locked = null;
    try {
      if (!found.isRegular()) {
        throw new IOException("it is not a file, but a device or something else: name a file");
      }
      String holder = HeldFiles.add(found.identity(), path);
      if (holder != null) {
        throw new PoolOpenException(
            "the pool is open in this process already ("
                + holder
                + "): share its connections; one class loader at a time can open it, under"
                + " one name file="
                + path);
      }
      identity = found.identity();
      FileChannel file = found.openChannel();
      if (!found.tryLock(exclusive)) {
        throw inUse(path, file);
      }
      locked = new NodeFile(path, found, identity, file);
      if (found.isOpenToOthers()) {
        LOG.warn(
            "other users of this machine may read or write the memory node's file {}: chmod 600",
            path);
      }
      return locked;
    } finally {
      if (locked == null) {
        found.close();
        if (identity != null) {
          HeldFiles.remove(identity);
        }
      }
    }
  }

  private static PoolOpenException inUse(Path path, FileChannel file) throws IOException {
    try (file) {
      String owner = owner(file);
      return new PoolInUseException(
          "the pool is in use by "
              + owner
              + ": one compute node at a time can attach to it; end that one, or wait until it"
              + " has ended file="
              + path,
          owner,
          false);
    }
  }

  /** Returns the device and inode, which identify the file independently of its name. */
  SystemFile.Identity identity() {
    return identity;
  }

  /**
   * Changes between exclusive and shared access, see {@link #open}; returns false if another
   * process prevents it.
   */
  boolean relock(boolean exclusive) {
    try {
      return locked.tryLock(exclusive);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns true if the file still exists under its name. */
  boolean isInPlace() {
    return identity.equals(SystemFile.identity(path));
  }

  /** Describes the removal or replacement of the open file; empty if neither has happened. */
  @Override
  public String problem() {
    SystemFile.Identity now = SystemFile.identity(path);
    if (identity.equals(now)) {
      return "";
    }
    return "the file "
        + path
        + (now == null ? " was removed" : " was replaced by another one")
        + " while the pool was open: its data is lost when this process ends; copy it into"
        + " another pool with SQL";
  }

  private static Path realPath(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      return absolute.getParent().toRealPath().resolve(absolute.getFileName());
    } catch (IOException e) {
      throw new PoolOpenException(
          "there is no directory " + absolute.getParent() + " for the pool: create it first", e);
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

  Path path() {
    return path;
  }

  /** Returns the current length of the file. */
  long fileBytes() {
    try {
      return file.size();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * Enables checksums: the pages are checked when the file is mapped exclusively, and checksums are
   * written when it is released.
   */
  NodeFile withChecksums(boolean isAlone) {
    hasChecksums = true;
    try {
      if (isAlone && (fileBytes() == 0 || isNew())) {
        PageChecksums.remove(path); // checksums of an earlier file of this name
      } else if (isAlone) {
        PageCheck.restoreFirstPage(path, file, fileBytes());
      }
    } catch (IOException e) {
      throw PageCheck.failed(path, e);
    }
    return this;
  }

  /** Checks the pages of a mapped file before they are used. */
  void checkPages() {
    try {
      isSealed = PageCheck.run(path, file, memory);
      if (!isSealed) {
        PageChecksums.remove(path);
      }
    } catch (IOException e) {
      hasChecksums = false;
      throw PageCheck.failed(path, e);
    }
  }

  @Override
  public void seal(BooleanSupplier isCancelled) {
    if (!hasChecksums || isSealed) {
      return;
    }
    try {
      boolean isPool =
          firstPage()[SuperblockLayout.NODE_BYTES_OFFSET / Long.BYTES] == memory.byteSize();
      isSealed = isPool && PageChecksums.write(path, file, isCancelled);
    } catch (IOException | PoolOpenException e) {
      LOG.warn("no checksums were written for the memory node's file {}: {}", path, e.toString());
    }
  }

  @Override
  public void unseal() {
    if (isSealed) {
      isSealed = false;
      try {
        PageChecksums.remove(path);
      } catch (IOException e) {
        throw PageCheck.failed(path, e);
      }
    }
  }

  /** Returns true if the file is empty, or if its creator failed while it formatted the pool. */
  boolean isNew() {
    long[] page = firstPage();
    return fileBytes() == 0
        || (page[SuperblockLayout.MAGIC_OFFSET / Long.BYTES] == 0
            && page[SuperblockLayout.PARAMETERS_OFFSET / Long.BYTES]
                == SuperblockLayout.PARAMETERS);
  }

  /** Marks the file as a memory node that is being created, see {@link #isNew}. */
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

  /** Returns the pool id in the superblock; 0 if the file has none. */
  long poolId() {
    return firstPage()[SuperblockLayout.POOL_ID_OFFSET / Long.BYTES];
  }

  /** Zero beyond the end of the file. */
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

  /** Returns the node size in the superblock; 0 if the file has none. */
  long formattedBytes() {
    long[] page = firstPage();
    return page[SuperblockLayout.MAGIC_OFFSET / Long.BYTES] == SuperblockLayout.MAGIC
        ? page[SuperblockLayout.NODE_BYTES_OFFSET / Long.BYTES]
        : 0;
  }

  /**
   * Returns the node size if the node belongs to a replicated pool; 0 otherwise. A node whose
   * process stopped while it was being made part of such a pool counts as well: it is empty, and
   * handled as such.
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

  /** Returns the free bytes of the file system. */
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

  /** Maps the file, which grows to {@code bytes} if it is shorter; the added bytes are zero. */
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
    FileWatch.add(this);
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
    return MappedPages.isKnown()
        ? MappedPages.populate(memory.address() + offset, length)
        : allocate(offset, Math.min(length, bytes() - offset));
  }

  /** Allocates blocks of the file system, on systems that cannot populate a mapping. */
  boolean allocate(long offset, long length) {
    return locked.allocate(offset, length);
  }

  /**
   * Deallocates the blocks of the range if the file system supports that; otherwise writes zeros.
   */
  @Override
  public void clear(long offset, long length) {
    if (!locked.punch(offset, length)) {
      NodeMemory.super.clear(offset, length);
    }
  }

  /** Returns true if users other than its owner may read or write the file. */
  boolean isOpenToOthers() throws IOException {
    return locked.isOpenToOthers();
  }

  @Override
  public void release() {
    FileWatch.remove(this);
    if (memory != null && hasChecksums && relock(true) && isInPlace()) {
      seal(() -> false);
    }
    if (arena != null) {
      arena.close();
    }
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      locked.close();
      HeldFiles.remove(identity);
    }
  }
}
