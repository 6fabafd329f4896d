package org.nelumbo.dm.node;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.WindowDigest;

/**
 * Executes the verbs of a frame in order, on a channel to the node's own memory. The channel's
 * staging buffer holds the results first and the frame behind them. All input is checked: an
 * invalid frame causes an exception, and no access outside the node's memory. For one thread.
 */
final class VerbFrame {
  static final int STAGING_BYTES = 2 * Wire.FRAME_LENGTH_MAX;
  private static final int FRAME_PLACE = Wire.FRAME_LENGTH_MAX;

  private final Channel channel;
  private final MemorySegment staging;
  private int resultBytes;
  private int at;

  VerbFrame(Channel channel) {
    this.channel = channel;
    this.staging = channel.staging();
  }

  /**
   * Executes all verbs; {@link #putResults} then returns the results.
   *
   * @param bytes array that contains the frame, including its header, at {@code offset}
   * @throws RuntimeException if the frame is invalid; the verbs before the error were executed
   */
  void execute(byte[] bytes, int offset, int length, int verbs) {
    MemorySegment.copy(bytes, offset, staging, ValueLayout.JAVA_BYTE, FRAME_PLACE, length);
    resultBytes = 0;
    at = Wire.HEADER_LENGTH;
    for (int i = 0; i < verbs; i++) {
      verb(length);
    }
    if (at != length) {
      throw new ProtocolException("bytes after the last verb count=" + (length - at));
    }
    channel.flush();
  }

  private void verb(int frameLength) {
    long word = next(frameLength);
    long address = next(frameLength);
    int operation = Wire.operation(word);
    int length = Wire.length(word);
    if (length > Wire.DATA_LENGTH_MAX) {
      throw new ProtocolException("the data of a verb is too long length=" + length);
    }
    switch (operation) {
      case Wire.READ -> channel.read(address, result(length), length);
      case Wire.WRITE -> channel.write(address, data(length, frameLength), length);
      case Wire.WRITE_WORD -> channel.writeLong(address, next(frameLength));
      case Wire.CAS ->
          channel.compareAndSwap(address, next(frameLength), next(frameLength), result(Long.BYTES));
      case Wire.DIGEST -> digest(address, length, next(frameLength), next(frameLength));
      case Wire.FAA -> channel.fetchAndAdd(address, next(frameLength), result(Long.BYTES));
      default -> throw new ProtocolException("unknown verb operation=" + operation);
    }
  }

  private void digest(long address, int length, long keyFirst, long keySecond) {
    if (length > WindowDigest.WINDOW_BYTES_MAX) {
      throw new ProtocolException("too long for a digest length=" + length);
    }
    channel.digest(address, length, keyFirst, keySecond, result(WindowDigest.LENGTH));
  }

  private long next(int frameLength) {
    if (at + Long.BYTES > frameLength) {
      throw new ProtocolException("the frame ends within a verb");
    }
    long word = staging.get(ValueLayout.JAVA_LONG, FRAME_PLACE + at);
    at += Long.BYTES;
    return word;
  }

  private int data(int length, int frameLength) {
    int place = FRAME_PLACE + at;
    at += Wire.padded(length);
    if (at > frameLength) {
      throw new ProtocolException("the frame ends within the data of a verb");
    }
    return place;
  }

  private int result(int length) {
    int place = resultBytes;
    resultBytes += Wire.padded(length);
    if (resultBytes > Wire.FRAME_LENGTH_MAX - Wire.HEADER_LENGTH) {
      throw new ProtocolException("the results are too long for a frame");
    }
    return place;
  }

  /** Returns the bytes of the results of the last frame. */
  int resultBytes() {
    return resultBytes;
  }

  void putResults(ByteBuffer out) {
    MemorySegment.copy(
        staging, ValueLayout.JAVA_BYTE, 0, Wire.array(out), out.position(), resultBytes);
    out.position(out.position() + resultBytes);
  }
}
