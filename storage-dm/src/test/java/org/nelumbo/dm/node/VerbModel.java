package org.nelumbo.dm.node;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.nelumbo.dm.fabric.tcp.Wire;

/** A reference model of the effect of a frame of verbs on the memory of a node. */
final class VerbModel {
  private final ByteBuffer memory;
  private final ByteBuffer results =
      ByteBuffer.allocate(2 * Wire.FRAME_LENGTH_MAX).order(ByteOrder.LITTLE_ENDIAN);

  VerbModel(int bytes) {
    memory = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the expected content of the memory. */
  byte[] memory() {
    return memory.array();
  }

  /** Returns the results of the last frame, from 0 to the buffer's position. */
  ByteBuffer results() {
    return results;
  }

  /**
   * Executes the verbs of a frame, up to the first invalid one.
   *
   * @param frame little-endian, from 0 to its limit
   * @return true if the frame is valid and all its verbs were executed
   */
  boolean execute(ByteBuffer frame) {
    results.clear();
    frame.position(Wire.HEADER_LENGTH);
    int verbs = frame.getShort(Wire.COUNT_OFFSET) & 0xFFFF;
    for (int i = 0; i < verbs; i++) {
      if (frame.remaining() < Wire.VERB_LENGTH || !verb(frame)) {
        return false;
      }
    }
    return !frame.hasRemaining();
  }

  private boolean verb(ByteBuffer frame) {
    long word = frame.getLong();
    long offset = frame.getLong();
    int length = Wire.length(word);
    boolean isData = Wire.operation(word) == Wire.READ || Wire.operation(word) == Wire.WRITE;
    int touched = isData ? length : Long.BYTES;
    if (length > Wire.DATA_LENGTH_MAX || offset < 0 || offset > memory.capacity() - touched) {
      return false;
    }
    if (!isData && (offset & 7) != 0) {
      return false;
    }
    int at = (int) offset;
    return switch (Wire.operation(word)) {
      case Wire.READ -> hasRoom(length) && read(at, length);
      case Wire.WRITE -> write(frame, at, length);
      case Wire.WRITE_WORD -> frame.remaining() >= 8 && set(at, frame.getLong());
      case Wire.CAS -> frame.remaining() >= 16 && hasRoom(8) && swap(frame, at);
      case Wire.FAA -> frame.remaining() >= 8 && hasRoom(8) && add(at, frame.getLong());
      default -> false;
    };
  }

  private boolean hasRoom(int length) {
    int all = results.position() + Wire.padded(length);
    return all <= Wire.FRAME_LENGTH_MAX - Wire.HEADER_LENGTH;
  }

  private boolean read(int at, int length) {
    results.put(results.position(), memory, at, length);
    results.position(results.position() + Wire.padded(length));
    return true;
  }

  private boolean write(ByteBuffer frame, int at, int length) {
    if (frame.remaining() < Wire.padded(length)) {
      return false;
    }
    memory.put(at, frame, frame.position(), length);
    frame.position(frame.position() + Wire.padded(length));
    return true;
  }

  private boolean set(int at, long value) {
    memory.putLong(at, value);
    return true;
  }

  private boolean swap(ByteBuffer frame, int at) {
    long old = memory.getLong(at);
    long expected = frame.getLong();
    long replacement = frame.getLong();
    results.putLong(old);
    return set(at, old == expected ? replacement : old);
  }

  private boolean add(int at, long delta) {
    long old = memory.getLong(at);
    results.putLong(old);
    return set(at, old + delta);
  }
}
