package org.nelumbo.dm.node;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.nelumbo.dm.fabric.tcp.Wire;

/**
 * Bytes of a connection that have been received, and the frames in them. It begins small and grows
 * to the frames that come, up to a limit. For one thread.
 */
final class FrameBuffer {
  private static final int FIRST_LENGTH = 4 << 10;

  private int lengthMax;
  private byte[] bytes = new byte[FIRST_LENGTH];
  private ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  private int taken;
  private int filled;

  /**
   * @param lengthMax longest frame that is accepted
   */
  FrameBuffer(int lengthMax) {
    this.lengthMax = lengthMax;
  }

  /** Accepts longer frames from now on, and has room for so many bytes at once. */
  void enlarge(int longest, int capacity) {
    lengthMax = longest;
    makeRoom(capacity);
  }

  /**
   * Whether a whole frame is there.
   *
   * @throws ProtocolException if what is there can be no frame
   */
  boolean hasFrame() {
    if (filled - taken < Wire.HEADER_LENGTH) {
      return false;
    }
    int length = frameLength();
    if (length < Wire.HEADER_LENGTH || length > lengthMax || (length & 7) != 0) {
      throw new ProtocolException("a frame of a wrong length came length=" + length);
    }
    return filled - taken >= length;
  }

  /** Length of the frame that is there. */
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

  /** The bytes of which the frame is a part, at {@link #offset}. */
  byte[] bytes() {
    return bytes;
  }

  int offset() {
    return taken;
  }

  /** The whole frame, from its header on. */
  ByteBuffer frame() {
    return ByteBuffer.wrap(bytes, taken, frameLength()).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** What is behind the header of the frame. */
  ByteBuffer body() {
    return frame().position(Wire.HEADER_LENGTH);
  }

  /** The frame has been dealt with. */
  void next() {
    taken += frameLength();
  }

  /**
   * Reads once what has come, and waits if nothing has; returns the number of bytes.
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
