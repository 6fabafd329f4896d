package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.nelumbo.dm.pool.Channel;

/**
 * A note of the WRITE that a channel is executing, in memory that outlives its process. If the
 * process ends within the WRITE, the process that has fenced it executes the WRITE again. So a
 * WRITE of a failed process is complete or absent, but never partial, as with a memory node that
 * executes it.
 *
 * <pre>
 *  0  length of the WRITE, 0 if none is in progress (8)
 *  8  its address in the pool (8)
 * 16  its bytes, after padding that gives both copies the same alignment
 * </pre>
 *
 * The length is written last and erased first. No later verb of the channel becomes visible before
 * the note is erased; so only the failed process can have written to that range since. A WRITE of a
 * single word needs no note, and a WRITE of more than {@link #BYTES_MAX} bytes is executed in
 * parts.
 */
public final class WriteNote {
  /** Bytes of a note. */
  public static final int LENGTH = 8192;

  private static final int ADDRESS_OFFSET = 8;
  private static final int BYTES_OFFSET = 16;

  /** Bytes of the longest WRITE that is atomic in this sense. */
  public static final int BYTES_MAX = LENGTH - BYTES_OFFSET - Long.BYTES;

  private WriteNote() {}

  /** Notes a WRITE, executes it, and erases the note. */
  static void write(long noteAddress, long address, long from, long to, int length) {
    for (int done = 0; done < length; done += BYTES_MAX) {
      int part = Math.min(BYTES_MAX, length - done);
      begin(noteAddress, address + done, from + done, to + done, part);
      RawMemory.copy(from + done, to + done, part, to + done);
      RawMemory.setRelease(noteAddress, 0);
      VarHandle.storeStoreFence();
    }
  }

  /** Writes a note; the note is visible before any later store. */
  static void begin(long noteAddress, long address, long from, long to, int length) {
    long copy = noteAddress + BYTES_OFFSET + (to & 7);
    RawMemory.copy(from, copy, length, copy);
    RawMemory.set(noteAddress + ADDRESS_OFFSET, address);
    RawMemory.setRelease(noteAddress, length);
    VarHandle.storeStoreFence();
  }

  /**
   * Executes the noted WRITE of a failed process, if there is one, and erases the note. May be
   * repeated after an interruption.
   *
   * @param note memory of the note, 8-byte aligned
   * @param channel channel to the pool, with a staging buffer of {@link #LENGTH} bytes
   * @return true if there was a noted WRITE
   */
  public static boolean finish(MemorySegment note, Channel channel) {
    long noteAddress = note.address();
    long length = RawMemory.get(noteAddress);
    VarHandle.acquireFence();
    if (length <= 0 || length > BYTES_MAX) {
      return false;
    }
    long address = RawMemory.get(noteAddress + ADDRESS_OFFSET);
    int shift = (int) (address & 7);
    MemorySegment.copy(note, BYTES_OFFSET + shift, channel.staging(), shift, length);
    channel.write(address, shift, (int) length);
    channel.flush();
    RawMemory.setRelease(noteAddress, 0);
    return true;
  }
}
