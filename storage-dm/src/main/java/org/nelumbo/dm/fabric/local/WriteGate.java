package org.nelumbo.dm.fabric.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.nelumbo.dm.pool.FabricException;

/**
 * The gate through which one channel changes memory that other processes may map. It records
 * whether a change is in progress, and it can be shut. After {@link #noteAt} it notes each WRITE of
 * several words before executing it ({@link WriteNote}).
 *
 * <p>Used by the channel's thread; {@link #noteAt}, {@link #shut} and {@link #isBusy} may be called
 * by any thread. The channel's thread does not fence between setting its busy flag and checking
 * whether the gate is shut. The thread that shuts the gate waits longer than a store takes to
 * become visible, and reads the flag then ({@link WriteGates}).
 */
final class WriteGate {
  /** Value instead of a note's address: WRITEs are not noted. */
  private static final long NONE = 0;

  /** Value instead of a note's address: all changes are refused. */
  private static final long SHUT = -1;

  private static final VarHandle BUSY;

  static {
    try {
      BUSY = MethodHandles.lookup().findVarHandle(WriteGate.class, "busy", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NotePlaces places;

  @SuppressWarnings("UnusedVariable") // accessed by its handle
  private boolean busy;

  /** Address of the note for WRITEs, or one of the values above. */
  private volatile long note = NONE;

  /**
   * The failure that shut the gate; null if the pool was released in order. Set before the note.
   */
  private Throwable reason;

  /**
   * Creates a gate that does not note WRITEs yet.
   *
   * @param places owner of the note, which gets it back when the channel is closed
   */
  WriteGate(NotePlaces places) {
    this.places = places;
  }

  /**
   * Notes WRITEs at an address from now on. A change that does not see this yet began before; it
   * has ended when {@link #isBusy} returns false.
   */
  void noteAt(long noteAddress) {
    note = noteAddress;
  }

  boolean isNoting() {
    return note > 0;
  }

  /**
   * Refuses all changes from now on; visible to the channel as described at {@link #noteAt}.
   *
   * @param why the failure after which the pool is released, which becomes the cause of the
   *     exceptions of later verbs; null if the pool is released in order
   */
  void shut(Throwable why) {
    reason = why;
    note = SHUT;
  }

  /** Returns true if a change is in progress. */
  boolean isBusy() {
    return (boolean) BUSY.getAcquire(this);
  }

  /** Marks the start of a change. */
  void enter() {
    BUSY.setOpaque(this, true);
    if (note == SHUT) {
      leave();
      throw lost();
    }
  }

  /** Marks the end of a change. */
  void leave() {
    BUSY.setRelease(this, false);
  }

  void checkOpen() {
    if (note == SHUT) {
      throw lost();
    }
  }

  private FabricException lost() {
    return new FabricException("this process has released the pool", reason);
  }

  /** Copies bytes into the pool. */
  void write(long address, long from, long to, int length) {
    enter();
    try {
      long noteAddress = note;
      if (noteAddress <= NONE || length == Long.BYTES && (to & 7) == 0) {
        RawMemory.copy(from, to, length, to);
      } else {
        WriteNote.write(noteAddress, address, from, to, length);
      }
    } finally {
      leave();
    }
  }

  void writeLong(long word, long value) {
    enter();
    try {
      RawMemory.setRelease(word, value);
    } finally {
      leave(); // otherwise WriteGates.shut would wait for ever after a fault of the page
    }
  }

  /** Returns the note when the channel is closed. */
  void end() {
    places.closed(this, note);
  }

  /** The owner of the notes. */
  interface NotePlaces {
    /** Called when a channel is closed: its note is free, if it had one. */
    void closed(WriteGate gate, long noteAddress);
  }
}
