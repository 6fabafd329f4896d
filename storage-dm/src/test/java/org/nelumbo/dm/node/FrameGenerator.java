package org.nelumbo.dm.node;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;

/** Generates frames of verbs from a seed: mostly valid ones, some invalid. */
final class FrameGenerator {
  /** Maximum frame length in bytes. */
  static final int LENGTH_MAX = 4 << 10;

  private static final long[] OFFSETS = {
    0,
    SuperblockLayout.MAGIC_OFFSET,
    SuperblockLayout.BUMP_OFFSET,
    NodeHeaderLayout.RESERVE_OFFSET,
    NodeHeaderLayout.SLOT_BYTES_OFFSET,
    NodeHeaderLayout.LENGTH + SuperblockLayout.BUMP_OFFSET,
  };
  private static final long[] VALUES = {
    0,
    1,
    -1,
    8,
    4096,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    NodeHeaderLayout.MAGIC,
    SuperblockLayout.MAGIC
  };

  private final SplittableRandom random;
  private final long bytes;
  private final ByteBuffer frame = Wire.buffer(LENGTH_MAX);

  /**
   * @param bytes size of the memory node that the frames address
   */
  FrameGenerator(SplittableRandom random, long bytes) {
    this.random = random;
    this.bytes = bytes;
  }

  /**
   * Returns the next frame, from the buffer's position to its limit. The buffer is reused by the
   * next call.
   */
  ByteBuffer next(long sequence) {
    Wire.begin(frame, Wire.VERBS);
    int verbs = random.nextInt(6);
    for (int i = 0; i < verbs; i++) {
      verb();
    }
    frame.putShort(Wire.COUNT_OFFSET, (short) verbs).putLong(Wire.SEQUENCE_OFFSET, sequence);
    Wire.end(frame);
    if (random.nextInt(6) == 0) {
      damage();
    }
    return frame;
  }

  private void verb() {
    int operation = 1 + random.nextInt(5);
    boolean hasData = operation == Wire.READ || operation == Wire.WRITE;
    int length = hasData ? length() : 0;
    frame.putLong(Wire.verb(operation, length)).putLong(offset(hasData ? 1 : 8, length));
    switch (operation) {
      case Wire.WRITE -> {
        for (int i = 0; i < Wire.padded(length); i += Long.BYTES) {
          frame.putLong(random.nextLong());
        }
      }
      case Wire.WRITE_WORD, Wire.FAA -> frame.putLong(value());
      case Wire.CAS -> frame.putLong(value()).putLong(value());
      default -> {}
    }
  }

  private int length() {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> random.nextInt(600);
      default -> 1 + random.nextInt(40);
    };
  }

  private long offset(int alignment, int length) {
    int kind = random.nextInt(64);
    if (kind == 0) {
      return bytes - random.nextInt(length + 16);
    }
    if (kind < 6) {
      return OFFSETS[random.nextInt(OFFSETS.length)];
    }
    return random.nextLong(bytes - length - 8) / alignment * alignment;
  }

  private long value() {
    return random.nextBoolean() ? VALUES[random.nextInt(VALUES.length)] : random.nextLong();
  }

  /**
   * Changes the frame in a way that the memory node either rejects, or executes as a different
   * valid frame.
   */
  private void damage() {
    int limit = frame.limit();
    int word = random.nextInt(limit / Long.BYTES) * Long.BYTES;
    switch (random.nextInt(7)) {
      case 0 -> frame.put(random.nextInt(limit), (byte) random.nextInt());
      case 1 -> frame.putLong(word, value());
      case 2 -> frame.putLong(word, 1L << random.nextInt(64));
      case 3 -> frame.putShort(Wire.COUNT_OFFSET, (short) random.nextInt(10));
      case 4 -> frame.putInt(0, limit + 8 * (random.nextInt(5) - 2));
      case 5 -> frame.limit(Math.max(1, random.nextInt(limit)));
      default ->
          frame.putLong(
              Math.min(word + Wire.HEADER_LENGTH, limit - 8),
              Wire.verb(random.nextInt(256), random.nextInt(1 << 24)));
    }
  }
}
