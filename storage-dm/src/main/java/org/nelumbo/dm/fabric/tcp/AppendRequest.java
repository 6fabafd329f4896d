package org.nelumbo.dm.fabric.tcp;

import java.nio.ByteBuffer;

/** A request that appends a frame to the log of a memory node. A coordinator reuses it. */
final class AppendRequest extends LinkRequest {
  private static final int FIRST_LENGTH = 1 << 10;
  private static final int KEPT_LENGTH = 64 << 10;

  private ByteBuffer frame = Wire.buffer(FIRST_LENGTH);

  /** Sets the frame to append. A frame of length 0 only waits for the earlier appends. */
  void set(long transaction, byte[] bytes, int length, boolean isForced) {
    int wanted = Wire.LOG_FRAME_OFFSET + Wire.padded(length);
    if (wanted > frame.capacity() || frame.capacity() > KEPT_LENGTH) {
      frame = Wire.buffer(Math.max(wanted, FIRST_LENGTH));
    }
    Wire.begin(frame, Wire.APPEND);
    frame.putShort(Wire.COUNT_OFFSET, isForced ? Wire.FORCED : 0);
    frame.putLong(transaction).put(bytes, 0, length);
    beginAnew();
  }

  @Override
  ByteBuffer frame(long sequence) {
    frame.putLong(Wire.SEQUENCE_OFFSET, sequence);
    return Wire.end(frame);
  }

  @Override
  void unframe() {
    frame.position(frame.limit()).limit(frame.capacity());
  }

  @Override
  int resultBytes() {
    return 0;
  }

  @Override
  void accept(ByteBuffer reply) {}
}
