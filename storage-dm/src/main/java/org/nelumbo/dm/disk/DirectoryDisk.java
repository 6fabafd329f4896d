package org.nelumbo.dm.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.nelumbo.dm.pool.PoolOpenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of a file system. A process that has it open holds a lock on the directory itself,
 * which ends with the process. The file {@value #LOCK} contains the name of the owner, and may be
 * removed. A process that only reads needs no lock. Only their owner may access the files and a new
 * directory.
 */
public final class DirectoryDisk implements Disk {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryDisk.class);
  static final String LOCK = "LOCK";

  private static final int OWNER_BYTES = 512;

  private final Path directory;

  /** Null if the directory is only read; so is {@link #identity}. */
  private final SystemFile handle;

  private final SystemFile.Identity identity;
  private final AtomicBoolean open = new AtomicBoolean(true);

  private DirectoryDisk(Path directory, SystemFile handle, SystemFile.Identity identity) {
    this.directory = directory;
    this.handle = handle;
    this.identity = identity;
  }

  /**
   * Opens the directory of a database, which is made if it does not exist.
   *
   * @param owner name of the owner, shown to other processes that try to open the directory
   *     meanwhile
   * @throws PoolOpenException if another process has it open, or if it cannot be opened
   */
  public static DirectoryDisk open(Path directory, String owner) {
    return open(directory, owner, true);
  }

  /**
   * Opens a directory as {@link #open(Path, String)} does, but allows a file system that machines
   * share.
   */
  public static DirectoryDisk openAnywhere(Path directory, String owner) {
    return open(directory, owner, false);
  }

  /**
   * Opens a directory to read files in it, even if another process has it open.
   *
   * @throws PoolOpenException if it does not exist
   */
  public static DirectoryDisk openToRead(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new PoolOpenException("there is no directory " + directory);
    }
    return new DirectoryDisk(directory, null, null);
  }

  private static DirectoryDisk open(Path directory, String owner, boolean isLocal) {
    try {
      make(directory);
      Path real = directory.toRealPath();
      if (isLocal) {
        NetworkFileSystems.refuse(real);
      }
      return lock(real, SystemFile.openDirectory(real), owner);
    } catch (NotDirectoryException e) {
      throw new PoolOpenException("this is a file, not a directory: " + directory, e);
    } catch (IOException e) {
      throw new PoolOpenException("cannot open the directory " + directory + ": " + e, e);
    }
  }

  private static void make(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    if (Files.exists(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    Path parent = directory.toAbsolutePath().getParent();
    Files.createDirectories(parent);
    Files.createDirectory(directory, permissions("rwx------"));
    forceDirectory(parent);
  }

  private static FileAttribute<?> permissions(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }

  private static DirectoryDisk lock(Path directory, SystemFile handle, String owner)
      throws IOException {
    SystemFile.Identity identity = null;
    DirectoryDisk locked = null;
    try {
      String holder = HeldFiles.add(handle.identity(), directory);
      if (holder != null) {
        throw new PoolOpenException(
            "the directory is open in this process already ("
                + holder
                + "): share its connections; one class loader at a time can open it directory="
                + directory);
      }
      identity = handle.identity();
      if (!handle.tryLockDirectory()) {
        throw inUse(directory);
      }
      writeOwner(directory, owner);
      locked = new DirectoryDisk(directory, handle, identity);
      return locked;
    } finally {
      if (locked == null) {
        handle.close();
        if (identity != null) {
          HeldFiles.remove(identity);
        }
      }
    }
  }

  private static void writeOwner(Path directory, String owner) throws IOException {
    try (SystemFile file = SystemFile.open(directory.resolve(LOCK), true);
        FileChannel text = file.openChannel()) {
      text.truncate(0);
      text.write(ByteBuffer.wrap((owner + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    }
  }

  private static PoolOpenException inUse(Path directory) {
    String owner = "another process";
    try (SystemFile file = SystemFile.open(directory.resolve(LOCK), false)) {
      if (file != null) {
        try (FileChannel channel = file.openChannel()) {
          ByteBuffer text = ByteBuffer.allocate(OWNER_BYTES);
          channel.read(text, 0);
          owner = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
        }
      }
    } catch (IOException e) {
      LOG.debug("the owner of {} is unknown: {}", directory, e.toString());
    }
    return new PoolOpenException(
        "the directory is in use by "
            + owner
            + ": one process at a time can open it; end that one, or wait until it has ended"
            + " directory="
            + directory);
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> !name.equals(LOCK))
          .toList();
    }
  }

  @Override
  public DiskFile create(String name) throws IOException {
    return new ChannelFile(
        name,
        FileChannel.open(
            directory.resolve(name),
            Set.of(
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING),
            permissions("rw-------")));
  }

  @Override
  public DiskFile open(String name) throws IOException {
    Path path = directory.resolve(name);
    return new ChannelFile(
        name,
        handle == null
            ? FileChannel.open(path, StandardOpenOption.READ)
            : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public void delete(String name) throws IOException {
    Files.delete(directory.resolve(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void forceNames() throws IOException {
    forceDirectory(directory);
  }

  private static void forceDirectory(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public String location() {
    return directory.toString();
  }

  @Override
  public void close() {
    if (open.compareAndSet(true, false) && handle != null) {
      HeldFiles.remove(identity);
      handle.close();
    }
  }

  /** Adds the file's name to error messages of the system. */
  private record ChannelFile(String name, FileChannel channel) implements DiskFile {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void write(ByteBuffer source, long offset) throws IOException {
      try {
        for (long at = offset; source.hasRemaining(); ) {
          at += channel.write(source, at);
        }
      } catch (IOException e) {
        throw named(e);
      }
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      int total = 0;
      try {
        while (target.hasRemaining()) {
          int count = channel.read(target, offset + total);
          if (count < 0) {
            break;
          }
          total += count;
        }
      } catch (IOException e) {
        throw named(e);
      }
      return total;
    }

    @Override
    public void force() throws IOException {
      try {
        channel.force(false);
      } catch (IOException e) {
        throw named(e);
      }
    }

    private IOException named(IOException why) {
      String said = why.getMessage() == null ? why.toString() : why.getMessage();
      return new IOException(said + " file=" + name, why);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
