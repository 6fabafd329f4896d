package org.nelumbo.dm.fabric.shm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.nelumbo.dm.disk.SystemFile;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.WriteNote;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.PoolOwner;

/**
 * The open table file of the processes that use a pool ({@link TenantFileLayout}). Thread-safe. A
 * process that changes a slot holds the lock of the slot, or the entry lock while the slot is not
 * locked.
 */
final class TenantFile implements AutoCloseable {
  private static final long DOOR_NANOS = 2_000_000_000L;
  private static final long DOOR_PAUSE_NANOS = 1_000_000L;
  private static final VarHandle WORD = JAVA_LONG.varHandle();
  private static final VarHandle HALF = JAVA_INT.varHandle();

  private final Path path;
  private final SystemFile locked;
  private final SystemFile.Identity identity;
  private final FileChannel channel;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment head;
  private final AtomicReferenceArray<MemorySegment> areas =
      new AtomicReferenceArray<>(TenantFileLayout.ENTRIES);

  private TenantFile(Path path, SystemFile locked) throws IOException {
    this.path = path;
    this.locked = locked;
    this.identity = locked.identity();
    if (!locked.allocate(0, TenantFileLayout.HEAD_LENGTH)) {
      throw new IOException("its file system is full");
    }
    this.channel = locked.openChannel();
    this.head = map(0, TenantFileLayout.HEAD_LENGTH);
  }

  /**
   * Opens the file; a new file is readable by its owner only.
   *
   * @param isMade true to create a missing file
   * @return the file, or null if there is none
   * @throws PoolOpenException if it cannot be opened
   */
  static TenantFile open(Path path, boolean isMade) {
    try {
      SystemFile file = SystemFile.open(path, isMade);
      if (file == null) {
        return null;
      }
      try {
        if (!file.isRegular()) {
          throw new IOException("it is not a file");
        }
        return new TenantFile(path, file);
      } catch (IOException | RuntimeException | Error e) {
        file.close();
        throw e;
      }
    } catch (IOException e) {
      throw new PoolOpenException(
          "cannot open the file through which the processes of a pool find each other, "
              + path
              + ": "
              + e.getMessage()
              + "; all of them must run as the same user",
          e);
    }
  }

  private MemorySegment map(long offset, long length) throws IOException {
    return channel.map(FileChannel.MapMode.READ_WRITE, offset, length, arena);
  }

  Path path() {
    return path;
  }

  /** Returns true if the file still exists under its name. */
  boolean isInPlace() {
    return identity.equals(SystemFile.identity(path));
  }

  /** Deletes the file's name; the next process that opens it creates another file. */
  void remove() {
    try {
      if (isInPlace()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // The header.

  /**
   * Assigns a new file to a pool. The caller holds the entry lock.
   *
   * @return false if the file belongs to another pool
   */
  boolean belongsTo(SystemFile.Identity pool) {
    if (word(0) == 0) {
      WORD.setOpaque(head, TenantFileLayout.DEVICE_OFFSET, pool.device());
      WORD.setOpaque(head, TenantFileLayout.NODE_OFFSET, pool.node());
      WORD.setRelease(head, 0L, TenantFileLayout.MAGIC);
    }
    return word(0) == TenantFileLayout.MAGIC
        && word(TenantFileLayout.DEVICE_OFFSET) == pool.device()
        && word(TenantFileLayout.NODE_OFFSET) == pool.node();
  }

  /** Returns the pool id; 0 until a process has entered the pool. */
  long poolId() {
    return word(TenantFileLayout.POOL_ID_OFFSET);
  }

  void setPoolId(long id) {
    WORD.setRelease(head, TenantFileLayout.POOL_ID_OFFSET, id);
  }

  private long word(long offset) {
    return (long) WORD.getAcquire(head, offset);
  }

  // Locks. The entry lock is the door in the names of methods.

  boolean tryDoor() {
    return tryLock(TenantFileLayout.DOOR);
  }

  /**
   * Waits for the entry lock, at most for the time that other processes need to join or leave.
   * Returns true if this process holds it.
   */
  boolean awaitDoor(Environment environment) {
    long start = environment.nanoTime();
    while (!tryDoor()) {
      if (environment.nanoTime() - start > DOOR_NANOS) {
        return false;
      }
      environment.parkNanos(DOOR_PAUSE_NANOS);
    }
    return true;
  }

  void leaveDoor() {
    unlock(TenantFileLayout.DOOR);
  }

  boolean tryLock(long entry) {
    try {
      return locked.tryLockByte(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void unlock(long entry) {
    try {
      locked.unlockByte(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns true if the slot belongs to another, live process. */
  boolean isLockedByOthers(int entry) {
    try {
      return locked.isByteLockedByOthers(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // Slots.

  long get(int entry, long field) {
    return (long) WORD.getAcquire(head, TenantFileLayout.entry(entry) + field);
  }

  long getVolatile(int entry, long field) {
    return (long) WORD.getVolatile(head, TenantFileLayout.entry(entry) + field);
  }

  void set(int entry, long field, long value) {
    WORD.setRelease(head, TenantFileLayout.entry(entry) + field, value);
  }

  long getAndSet(int entry, long field, long value) {
    return (long) WORD.getAndSet(head, TenantFileLayout.entry(entry) + field, value);
  }

  void setBits(int entry, long field, long bits) {
    long ignored = (long) WORD.getAndBitwiseOr(head, TenantFileLayout.entry(entry) + field, bits);
  }

  int getHalf(int entry, long field) {
    return (int) HALF.getVolatile(head, TenantFileLayout.entry(entry) + field);
  }

  void setHalf(int entry, long field, int value) {
    HALF.setVolatile(head, TenantFileLayout.entry(entry) + field, value);
  }

  void addHalf(int entry, long field) {
    int ignored = (int) HALF.getAndAdd(head, TenantFileLayout.entry(entry) + field, 1);
  }

  MemorySegment half(int entry, long field) {
    return head.asSlice(TenantFileLayout.entry(entry) + field, Integer.BYTES);
  }

  /** Returns the tenant id; 0 if the slot is free. */
  long id(int entry) {
    return get(entry, TenantFileLayout.ID);
  }

  boolean isEntered(int entry) {
    return id(entry) != 0 && get(entry, TenantFileLayout.STATE) == TenantFileLayout.ENTERED;
  }

  boolean isKnocking(int entry) {
    return id(entry) != 0 && get(entry, TenantFileLayout.STATE) == TenantFileLayout.KNOCKING;
  }

  ProcessIdentity process(int entry) {
    return new ProcessIdentity(
        get(entry, TenantFileLayout.PID),
        get(entry, TenantFileLayout.START),
        get(entry, TenantFileLayout.NAMESPACE));
  }

  String name(int entry) {
    long at = TenantFileLayout.entry(entry);
    int length = head.get(JAVA_INT, at + TenantFileLayout.NAME_LENGTH);
    byte[] text = new byte[Math.clamp(length, 0, TenantFileLayout.NAME_BYTES_MAX)];
    MemorySegment.copy(head, JAVA_BYTE, at + TenantFileLayout.NAME, text, 0, text.length);
    return PoolOwner.printable(new String(text, StandardCharsets.UTF_8));
  }

  /**
   * Claims a free slot for this process. The caller holds the entry lock, and keeps the lock of the
   * slot.
   *
   * @return the slot, or -1 if none is free
   * @throws PoolOpenException if the file system is full
   */
  int claim(long id, String name, long leaseNanos) {
    for (int entry = 0; entry < TenantFileLayout.ENTRIES; entry++) {
      // a process that failed before it entered left no notes; an entered one did, so its slot
      // stays
      if (!isEntered(entry) && !isLockedByOthers(entry) && tryLock(entry)) {
        if (!reserveRings(entry)) {
          unlock(entry);
          throw new PoolOpenException(describeFull());
        }
        fill(entry, id, name, leaseNanos);
        return entry;
      }
    }
    return -1;
  }

  /**
   * Allocates blocks for the rings between the process of a slot and the others. Blocks are
   * allocated before they are written, since a store to a mapped page without one is a fault when
   * the file system is full.
   *
   * @return false if the file system is full
   */
  private boolean reserveRings(int entry) {
    boolean isReserved = true;
    for (int each = 0; each < TenantFileLayout.ENTRIES && isReserved; each++) {
      if (each != entry && id(each) != 0) {
        isReserved = reserveRing(entry, each) && reserveRing(each, entry);
      }
    }
    return isReserved;
  }

  private boolean reserveRing(int receiver, int sender) {
    return locked.allocate(
        TenantFileLayout.area(receiver) + TenantFileLayout.ring(sender),
        TenantFileLayout.RING_LENGTH);
  }

  /**
   * Allocates blocks for notes of a slot.
   *
   * @return false if the file system is full
   */
  boolean reserveNotes(int entry, int first, int count) {
    return locked.allocate(
        TenantFileLayout.area(entry) + TenantFileLayout.note(first),
        (long) count * WriteNote.LENGTH);
  }

  /** Returns the message for a file system that is full. */
  String describeFull() {
    return "the file "
        + path
        + ", through which processes of one pool find each other, cannot grow: its file system is"
        + " full; free some space there, and try again";
  }

  private void fill(int entry, long id, String name, long leaseNanos) {
    set(entry, TenantFileLayout.ID, 0);
    set(entry, TenantFileLayout.STATE, TenantFileLayout.KNOCKING);
    ProcessIdentity own = ProcessIdentity.own();
    set(entry, TenantFileLayout.PID, own.pid());
    set(entry, TenantFileLayout.START, own.start());
    set(entry, TenantFileLayout.NAMESPACE, own.namespace());
    set(entry, TenantFileLayout.LEASE, leaseNanos);
    set(entry, TenantFileLayout.NOTES, 0);
    set(entry, TenantFileLayout.PEER_INCARNATION, 0);
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    text = Arrays.copyOf(text, Math.min(text.length, TenantFileLayout.NAME_BYTES_MAX));
    long at = TenantFileLayout.entry(entry);
    head.set(JAVA_INT, at + TenantFileLayout.NAME_LENGTH, text.length);
    MemorySegment.copy(text, 0, head, JAVA_BYTE, at + TenantFileLayout.NAME, text.length);
    set(entry, TenantFileLayout.ID, id);
  }

  /** Frees a slot whose lock this process holds. */
  void free(int entry) {
    set(entry, TenantFileLayout.PEER_INCARNATION, 0);
    set(entry, TenantFileLayout.ID, 0);
    set(entry, TenantFileLayout.STATE, 0);
    unlock(entry);
  }

  /**
   * Frees the slot of a failed process, whose lock this process holds, after it has finished the
   * WRITEs that the notes describe.
   *
   * @return number of finished WRITEs
   */
  int bury(int entry, Channel pool) {
    long places = Math.min(get(entry, TenantFileLayout.NOTES), TenantFileLayout.NOTES_MAX);
    int finished = 0;
    for (int place = 0; place < places; place++) {
      finished += WriteNote.finish(note(entry, place), pool) ? 1 : 0;
    }
    free(entry);
    return finished;
  }

  /** Returns the memory of a note for a WRITE. */
  MemorySegment note(int entry, int place) {
    return area(entry).asSlice(TenantFileLayout.note(place), WriteNote.LENGTH);
  }

  /** Returns the area of a slot, which is mapped at its first use. */
  MemorySegment area(int entry) {
    MemorySegment area = areas.get(entry);
    if (area == null) {
      try {
        area = map(TenantFileLayout.area(entry), TenantFileLayout.AREA_LENGTH);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (!areas.compareAndSet(entry, null, area)) {
        area = areas.get(entry); // the other mapping ends with the file
      }
    }
    return area;
  }

  @Override
  public void close() {
    arena.close();
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      locked.close();
    }
  }
}
