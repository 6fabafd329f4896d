package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.nelumbo.dm.pool.Channel;

/**
 * A note of the WRITE that a channel is doing, in memory that outlives its process. If the process
 * ends within the WRITE, whoever has fenced it does the WRITE again: so a WRITE of the dead is
 * there or not, never in part, as where a memory node executes it.
 *
 * <pre>
 *  0  length of the WRITE, 0 if none is in progress (8)
 *  8  its address in the pool (8)
 * 16  its bytes, behind as many as make both ends aligned alike
 * </pre>
 *
 * The length is written last and erased first. Nothing that the channel does after the WRITE can be
 * seen before the note is erased; so nobody but the dead has written there since. A WRITE of a
 * single word needs no note, and one of more than {@link #BYTES_MAX} bytes is done in parts.
 */
public final class WriteNote {
  /** Bytes of a note. */
  public static final int LENGTH = 8192;

  private static final int ADDRESS_OFFSET = 8;
  private static final int BYTES_OFFSET = 16;

  /** Bytes of the longest WRITE that is whole. */
  public static final int BYTES_MAX = LENGTH - BYTES_OFFSET - Long.BYTES;

  private WriteNote() {}

  /** Notes a WRITE, does it, and erases the note. */
  static void write(long place, long address, long from, long to, int length) {
    for (int done = 0; done < length; done += BYTES_MAX) {
      int part = Math.min(BYTES_MAX, length - done);
      begin(place, address + done, from + done, to + done, part);
      RawMemory.copy(from + done, to + done, part, to + done);
      RawMemory.setRelease(place, 0);
      VarHandle.storeStoreFence();
    }
  }

  /** The note is there when this returns. */
  static void begin(long place, long address, long from, long to, int length) {
    long copy = place + BYTES_OFFSET + (to & 7);
    RawMemory.copy(from, copy, length, copy);
    RawMemory.set(place + ADDRESS_OFFSET, address);
    RawMemory.setRelease(place, length);
    VarHandle.storeStoreFence();
  }

  /**
   * Does the WRITE of a dead process that is noted, if there is one, and erases the note. May be
   * done again if it was interrupted.
   *
   * @param note memory of the note, 8-byte aligned
   * @param channel to the pool, with a staging buffer of {@link #LENGTH} bytes
   * @return whether there was one
   */
  public static boolean finish(MemorySegment note, Channel channel) {
    long place = note.address();
    long length = RawMemory.get(place);
    VarHandle.acquireFence();
    if (length <= 0 || length > BYTES_MAX) {
      return false;
    }
    long address = RawMemory.get(place + ADDRESS_OFFSET);
    int shift = (int) (address & 7);
    MemorySegment.copy(note, BYTES_OFFSET + shift, channel.staging(), shift, length);
    channel.write(address, shift, (int) length);
    channel.flush();
    RawMemory.setRelease(place, 0);
    return true;
  }
}
