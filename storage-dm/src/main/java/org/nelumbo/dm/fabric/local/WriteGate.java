package org.nelumbo.dm.fabric.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.nelumbo.dm.pool.FabricException;

/**
 * What the changes of one channel go through where other processes may have the memory, too. It
 * knows whether a change is in progress, and can be shut. From a certain moment on it notes each
 * WRITE of several words before it does it ({@link WriteNote}).
 *
 * <p>For the channel's thread; {@link #noteAt}, {@link #shut} and {@link #isBusy} for any. The
 * thread does not fence between saying that it is busy and looking whether the gate is shut:
 * whoever shuts it waits for longer than a store takes to be seen, and looks then ({@link
 * WriteGates}).
 */
final class WriteGate {
  /** Not a place for notes: nothing is noted. */
  private static final long NONE = 0;

  /** Not a place for notes: nothing is done any more. */
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

  @SuppressWarnings("UnusedVariable") // by its handle
  private boolean busy;

  /** Where WRITEs are noted. */
  private volatile long note = NONE;

  /**
   * A gate that notes nothing yet.
   *
   * @param places where the place for notes goes in the end
   */
  WriteGate(NotePlaces places) {
    this.places = places;
  }

  /**
   * Has WRITEs noted there from now on. A change that does not see this yet was begun before; it
   * has ended when {@link #isBusy} is false.
   */
  void noteAt(long place) {
    note = place;
  }

  boolean isNoting() {
    return note > 0;
  }

  /** As {@link #noteAt}: nothing is changed any more. */
  void shut() {
    note = SHUT;
  }

  /** Whether a change is in progress. */
  boolean isBusy() {
    return (boolean) BUSY.getAcquire(this);
  }

  /** Before a change. */
  void enter() {
    BUSY.setOpaque(this, true);
    if (note == SHUT) {
      leave();
      throw lost();
    }
  }

  /** After it. */
  void leave() {
    BUSY.setRelease(this, false);
  }

  void checkOpen() {
    if (note == SHUT) {
      throw lost();
    }
  }

  private static FabricException lost() {
    return new FabricException("this process has let go of the pool", null);
  }

  /** Copies bytes into the pool. */
  void write(long address, long from, long to, int length) {
    enter();
    try {
      long place = note;
      if (place <= NONE || length == Long.BYTES && (to & 7) == 0) {
        RawMemory.copy(from, to, length, to);
      } else {
        WriteNote.write(place, address, from, to, length);
      }
    } finally {
      leave();
    }
  }

  void writeLong(long word, long value) {
    enter();
    RawMemory.setRelease(word, value);
    leave();
  }

  /** The channel is closed. */
  void end() {
    places.closed(this, note);
  }

  /** Places for notes. */
  interface NotePlaces {
    /** A channel is closed; its place is free, if it had one. */
    void closed(WriteGate gate, long place);
  }
}
