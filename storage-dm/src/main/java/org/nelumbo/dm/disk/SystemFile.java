package org.nelumbo.dm.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;

/**
 * A file opened by the system calls of Linux, with a lock that other code in this process cannot
 * release.
 *
 * <p>Java's own file locks belong to the process: closing any other descriptor of the file, for
 * example after a copy, releases them. This lock belongs to the open file ({@code F_OFD_SETLK}): it
 * ends when this object is closed or the process ends. It also excludes code of the same process
 * that opens the file again, by whatever name or class loader.
 */
public final class SystemFile implements AutoCloseable {
  private static final int O_RDWR = 2;
  private static final int O_CREAT = 0x40;
  private static final int O_CLOEXEC = 0x80000;
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
  private static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;

  private static final int MODE = 0600;

  private static final int F_OFD_GETLK = 36;
  private static final int F_OFD_SETLK = 37;
  private static final short F_RDLCK = 0;
  private static final short F_WRLCK = 1;
  private static final short F_UNLCK = 2;

  /** Result in place of a kind of lock: the lock was refused. */
  private static final short LOCKED = -1;

  /** Bytes of {@code struct flock}: type (2), whence (2), start at 8, length at 16, pid at 24. */
  private static final long FLOCK_BYTES = 32;

  private static final long FLOCK_START = 8;
  private static final long FLOCK_LENGTH = 16;

  /** Operation of {@code flock}: exclusive, without waiting. */
  private static final int LOCK_EX_NB = 2 | 4;

  /** Mode of {@code fallocate}: punch a hole, keep the size of the file. */
  private static final int PUNCH_HOLE = 1 | 2;

  private static final int ENOENT = 2;
  private static final int EBADF = 9;
  private static final int EAGAIN = 11;
  private static final int EACCES = 13;
  private static final int EMFILE = 24;
  private static final int ENOSPC = 28;
  private static final int EROFS = 30;
  private static final int ENOLCK = 37;
  private static final int ELOOP = 40;
  private static final int EDQUOT = 122;
  private static final int REGULAR = 0100000;
  private static final int TYPE_MASK = 0170000;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      ERRNO_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MethodHandle OPEN =
      function("open", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT, INT), 2);
  private static final MethodHandle FCNTL =
      function("fcntl", FunctionDescriptor.of(INT, INT, INT, ValueLayout.ADDRESS), 2);
  private static final MethodHandle FLOCK =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("flock"),
          FunctionDescriptor.of(INT, INT, INT),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle FALLOCATE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("fallocate"),
          FunctionDescriptor.of(INT, INT, INT, LONG, LONG),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(INT, INT));

  private final int descriptor;

  private SystemFile(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Identity of a file, independent of its name: two names of one file have the same identity.
   *
   * @param device number of the file system
   * @param node number of the file in it
   */
  public record Identity(long device, long node) {
    @Override
    public String toString() {
      return device + ":" + node;
    }
  }

  private static MethodHandle function(String name, FunctionDescriptor signature, int fixed) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        signature,
        Linker.Option.firstVariadicArg(fixed),
        Linker.Option.captureCallState("errno"));
  }

  /**
   * Opens a file to be read and written. A new one is accessible to its owner only.
   *
   * @param isMade whether to create the file if it does not exist
   * @return null if it does not exist
   * @throws IOException if it cannot be opened, or is a symbolic link
   */
  public static SystemFile open(Path path, boolean isMade) throws IOException {
    SystemFile file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (isMade ? O_CREAT : 0));
    if (file == null && isMade) {
      throw new NoSuchFileException(path.toString());
    }
    return file;
  }

  /** Opens a directory, to lock it. */
  static SystemFile openDirectory(Path path) throws IOException {
    SystemFile file = open(path, O_CLOEXEC | O_DIRECTORY);
    if (file == null) {
      throw new NoSuchFileException(path.toString());
    }
    return file;
  }

  private static SystemFile open(Path path, int flags) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      MemorySegment name = arena.allocateFrom(path.toString());
      int descriptor = (int) OPEN.invokeExact(state, name, flags, MODE);
      if (descriptor >= 0) {
        return new SystemFile(descriptor);
      }
      int error = (int) ERRNO.get(state, 0L);
      if (error == ENOENT) {
        return null;
      }
      throw new IOException(
          switch (error) {
            case ELOOP -> "it is a symbolic link: name the file that it points to";
            case EACCES -> "Permission denied";
            case EROFS -> "Read-only file system";
            case EMFILE -> "Too many open files";
            default -> "errno=" + error;
          });
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Acquires the lock on the whole file, if no other lock excludes it. If this object already holds
   * the lock, its kind is changed at once.
   *
   * @param exclusive whether the lock excludes all others, or only exclusive ones
   */
  public boolean tryLock(boolean exclusive) throws IOException {
    return lock(F_OFD_SETLK, exclusive ? F_WRLCK : F_RDLCK, 0, 0) != LOCKED;
  }

  /**
   * Acquires the exclusive lock on one byte, if no lock excludes it; the byte need not exist. The
   * lock ends in the same way as that on the whole file.
   */
  public boolean tryLockByte(long offset) throws IOException {
    return lock(F_OFD_SETLK, F_WRLCK, offset, 1) != LOCKED;
  }

  /** Releases the lock on one byte. */
  public void unlockByte(long offset) throws IOException {
    lock(F_OFD_SETLK, F_UNLCK, offset, 1);
  }

  /** Returns true if the lock on one byte is held through another opening of the file. */
  public boolean isByteLockedByOthers(long offset) throws IOException {
    return lock(F_OFD_GETLK, F_WRLCK, offset, 1) != F_UNLCK;
  }

  /**
   * Returns the kind of lock that a query found, or {@link #LOCKED} if another lock excludes the
   * requested one.
   */
  private short lock(int command, short kind, long offset, long length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      MemorySegment lock = arena.allocate(FLOCK_BYTES, Long.BYTES);
      lock.set(ValueLayout.JAVA_SHORT, 0, kind);
      lock.set(LONG, FLOCK_START, offset);
      lock.set(LONG, FLOCK_LENGTH, length);
      int result = (int) FCNTL.invokeExact(state, descriptor, command, lock);
      int error = (int) ERRNO.get(state, 0L);
      if (result < 0 && error != EAGAIN && error != EACCES) {
        throw new IOException("it cannot be locked errno=" + error);
      }
      return result < 0 ? LOCKED : lock.get(ValueLayout.JAVA_SHORT, 0);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Acquires the lock on a directory, if it is free; it ends in the same way as that on a file. On
   * file systems without directory locks, such as NFS, it always succeeds.
   */
  boolean tryLockDirectory() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      int result = (int) FLOCK.invokeExact(state, descriptor, LOCK_EX_NB);
      int error = (int) ERRNO.get(state, 0L);
      if (result < 0 && error != EAGAIN && error != EBADF && error != ENOLCK) {
        throw new IOException("it cannot be locked errno=" + error);
      }
      return result >= 0 || error != EAGAIN;
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Allocates blocks of the file system for a part of the file, whose content stays unchanged.
   *
   * @return false if there are no free blocks; true also if the file system does not support this
   */
  public boolean allocate(long offset, long length) {
    int error = fallocate(0, offset, length);
    return error != ENOSPC && error != EDQUOT;
  }

  /**
   * Frees the blocks of a part of the file, which then reads as zero.
   *
   * @return false if the file system does not support this
   */
  public boolean punch(long offset, long length) {
    return fallocate(PUNCH_HOLE, offset, length) == 0;
  }

  private int fallocate(int mode, long offset, long length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      int result = (int) FALLOCATE.invokeExact(state, descriptor, mode, offset, length);
      return result == 0 ? 0 : (int) ERRNO.get(state, 0L);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Opens the file once more, for reading and mapping by Java. */
  public FileChannel openChannel() throws IOException {
    return FileChannel.open(self(), StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private Path self() {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  public Identity identity() throws IOException {
    return identity(Files.readAttributes(self(), "unix:dev,ino"));
  }

  /** Returns the identity of the file with a given name; null if there is none. */
  public static Identity identity(Path path) {
    try {
      return identity(Files.readAttributes(path, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS));
    } catch (IOException e) {
      return null;
    }
  }

  private static Identity identity(Map<String, Object> attributes) {
    return new Identity(
        ((Number) Objects.requireNonNull(attributes.get("dev"))).longValue(),
        ((Number) Objects.requireNonNull(attributes.get("ino"))).longValue());
  }

  /** Returns true if this is a regular file: neither a device nor a pipe nor a directory. */
  public boolean isRegular() throws IOException {
    return (mode() & TYPE_MASK) == REGULAR;
  }

  /** Returns true if users other than its owner may read or write it. */
  public boolean isOpenToOthers() throws IOException {
    return (mode() & 077) != 0;
  }

  private int mode() throws IOException {
    return (Integer) Files.getAttribute(self(), "unix:mode");
  }

  @Override
  public void close() {
    try {
      if ((int) CLOSE.invokeExact(descriptor) != 0) {
        throw new UncheckedIOException(new IOException("cannot close a file"));
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
