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
 * A memory node in a file, locked against all others and mapped.
 *
 * <p>The lock is the system's, on the open file: it ends with the process that holds it, however
 * that ends, and with it the process's writes; so who gets the lock knows that the owner before is
 * fenced. See {@link SystemFile} for what it survives.
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

  /** True if checksums are written when the file is no longer used. */
  private boolean hasChecksums;

  /** True if the checksums beside the file are those of the present memory. */
  private boolean isSealed;

  private NodeFile(Path path, SystemFile locked, SystemFile.Identity identity, FileChannel file) {
    this.path = path;
    this.locked = locked;
    this.identity = identity;
    this.file = file;
  }

  /**
   * Opens and locks a file, which is on a file system of this machine.
   *
   * @param exclusive whether to keep all others out, or only those who want to be alone
   * @param isMade whether to make the file if there is none; only its owner may then read it
   * @return null if there is no file, and none is made
   * @throws PoolOpenException if somebody else has it, or it cannot be opened
   */
  static NodeFile open(Path path, boolean exclusive, boolean isMade) {
    Path real = realPath(path);
    if (Files.exists(real) && !Files.isRegularFile(real)) {
      throw new PoolOpenException("a pool is in a regular file, which this is not: " + real);
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
        file.release(); // removed between the opening and the locking
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
                + "): share its connections; one class loader at a time can have it, under one"
                + " name file="
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

  /** Which file it is, whatever it is called. */
  SystemFile.Identity identity() {
    return identity;
  }

  /** Changes the kind of its lock, see {@link #open}; false if somebody is in the way. */
  boolean relock(boolean exclusive) {
    try {
      return locked.tryLock(exclusive);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the file is still found under its name. */
  boolean isInPlace() {
    return identity.equals(SystemFile.identity(path));
  }

  /** What has happened to the file while it is open; empty if nothing has. */
  @Override
  public String problem() {
    SystemFile.Identity now = SystemFile.identity(path);
    if (identity.equals(now)) {
      return "";
    }
    return "the file "
        + path
        + (now == null ? " was removed" : " was replaced by another one")
        + " while the pool was open: all that is in the pool is lost when this process ends; copy"
        + " it into another pool by SQL";
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

  /**
   * Has the pages of the file checked when it is mapped, if it is opened alone, and the checksums
   * written when it is released.
   */
  NodeFile withChecksums(boolean isAlone) {
    hasChecksums = true;
    try {
      if (isAlone && (fileBytes() == 0 || isNew())) {
        PageChecksums.remove(path); // of a file that was here before
      } else if (isAlone) {
        PageCheck.restoreFirstPage(path, file, fileBytes());
      }
    } catch (IOException e) {
      throw PageCheck.failed(path, e);
    }
    return this;
  }

  /** Checks the pages of a file that is mapped, before anybody uses them. */
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
      LOG.warn("there are no checksums of the memory node's file {}: {}", path, e.toString());
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

  /** Id of the pool that the superblock tells, 0 if the file has none. */
  long poolId() {
    return firstPage()[SuperblockLayout.POOL_ID_OFFSET / Long.BYTES];
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

  /** Takes blocks of the file system, for systems that do not know how to populate a mapping. */
  boolean allocate(long offset, long length) {
    return locked.allocate(offset, length);
  }

  /** Gives blocks back to the file system, where it can do that. */
  @Override
  public void clear(long offset, long length) {
    if (!locked.punch(offset, length)) {
      NodeMemory.super.clear(offset, length);
    }
  }

  /** Whether others than its owner may read or write the file. */
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
