package org.nelumbo.dm.node;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.nelumbo.dm.fabric.tcp.Wire;

/**
 * The received bytes of a connection, and the frames in them. The buffer starts small and grows
 * with the frames, up to a limit. For one thread.
 */
final class FrameBuffer {
  private static final int FIRST_LENGTH = 4 << 10;

  private int lengthMax;
  private byte[] bytes = new byte[FIRST_LENGTH];
  private ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  private int taken;
  private int filled;

  /**
   * Creates an empty buffer.
   *
   * @param lengthMax longest frame that is accepted
   */
  FrameBuffer(int lengthMax) {
    this.lengthMax = lengthMax;
  }

  /** Accepts longer frames from now on, and allocates capacity. */
  void enlarge(int longest, int capacity) {
    lengthMax = longest;
    makeRoom(capacity);
  }

  /**
   * Returns true if the buffer contains a complete frame.
   *
   * @throws ProtocolException if the bytes are not the start of a frame
   */
  boolean hasFrame() {
    if (filled - taken < Wire.HEADER_LENGTH) {
      return false;
    }
    int length = frameLength();
    if (length < Wire.HEADER_LENGTH || length > lengthMax || (length & 7) != 0) {
      throw new ProtocolException("received a frame of a wrong length length=" + length);
    }
    return filled - taken >= length;
  }

  /** Returns the length of the current frame. */
  int frameLength() {
    return words.getInt(taken);
  }

  byte type() {
    return bytes[taken + Wire.TYPE_OFFSET];
  }

  int count() {
    return words.getShort(taken + Wire.COUNT_OFFSET) & 0xFFFF;
  }

  long sequence() {
    return words.getLong(taken + Wire.SEQUENCE_OFFSET);
  }

  /** Returns the array that contains the frame, at {@link #offset}. */
  byte[] bytes() {
    return bytes;
  }

  int offset() {
    return taken;
  }

  /** Returns the complete frame, including its header. */
  ByteBuffer frame() {
    return ByteBuffer.wrap(bytes, taken, frameLength()).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the part of the frame behind the header. */
  ByteBuffer body() {
    return frame().position(Wire.HEADER_LENGTH);
  }

  /** Removes the current frame. */
  void next() {
    taken += frameLength();
  }

  /**
   * Reads available bytes once, and waits if there are none; returns the number of bytes.
   *
   * @throws EOFException at the end of the stream
   */
  int fill(InputStream from) throws IOException {
    boolean isFrame = filled - taken >= Wire.HEADER_LENGTH;
    makeRoom(isFrame ? frameLength() : Wire.HEADER_LENGTH);
    int count = from.read(bytes, filled, bytes.length - filled);
    if (count < 0) {
      throw new EOFException();
    }
    filled += count;
    return count;
  }

  private void makeRoom(int wanted) {
    if (wanted > bytes.length) {
      bytes = Arrays.copyOfRange(bytes, taken, taken + Math.max(wanted, 2 * bytes.length));
      words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    } else if (taken > 0) {
      System.arraycopy(bytes, taken, bytes, 0, filled - taken);
    }
    filled -= taken;
    taken = 0;
  }
}
