package org.nelumbo.dm.fabric.tcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.nelumbo.dm.pool.WindowDigest;

/**
 * A frame of verbs of one channel to one node, and the locations of their results. Reused for every
 * batch: it allocates nothing once it has grown to the largest one. The channel's thread fills it;
 * the thread that reads the connection completes it; {@link #done} orders the two.
 */
final class Request extends LinkRequest {
  private static final int FIRST_LENGTH = 4 << 10;

  private final ByteBuffer staging;

  private ByteBuffer frame = Wire.buffer(FIRST_LENGTH);
  private int[] stagingOffsets = new int[64];
  private int[] lengths = new int[64];
  private int results;
  private int resultBytes;
  private int verbs;

  Request(MemorySegment staging) {
    this.staging = staging.asByteBuffer();
    begin();
  }

  void begin() {
    Wire.begin(frame, Wire.VERBS);
    verbs = 0;
    results = 0;
    resultBytes = 0;
    beginAnew();
  }

  boolean isEmpty() {
    return verbs == 0;
  }

  /** Returns true if another verb fits into the frame, and its result into the response. */
  boolean hasRoom(int bytes, int result) {
    return verbs < Wire.VERBS_MAX
        && frame.position() + Wire.VERB_LENGTH + Wire.padded(bytes) <= Wire.FRAME_LENGTH_MAX
        && Wire.HEADER_LENGTH + resultBytes + Wire.padded(result) <= Wire.FRAME_LENGTH_MAX;
  }

  void read(long offset, int stagingOffset, int length) {
    verb(Wire.READ, length, offset, 0);
    expect(stagingOffset, length);
  }

  void write(long offset, int stagingOffset, int length) {
    verb(Wire.WRITE, length, offset, Wire.padded(length));
    int at = frame.position();
    frame.put(at, staging, stagingOffset, length);
    frame.position(at + Wire.padded(length));
  }

  void writeWord(long offset, long value) {
    verb(Wire.WRITE_WORD, 0, offset, Long.BYTES);
    frame.putLong(value);
  }

  void compareAndSwap(long offset, long expected, long replacement, int stagingOffset) {
    verb(Wire.CAS, 0, offset, 2 * Long.BYTES);
    frame.putLong(expected).putLong(replacement);
    expect(stagingOffset, Long.BYTES);
  }

  void digest(long offset, int length, long keyFirst, long keySecond, int stagingOffset) {
    verb(Wire.DIGEST, length, offset, 2 * Long.BYTES);
    frame.putLong(keyFirst).putLong(keySecond);
    expect(stagingOffset, WindowDigest.LENGTH);
  }

  void fetchAndAdd(long offset, long delta, int stagingOffset) {
    verb(Wire.FAA, 0, offset, Long.BYTES);
    frame.putLong(delta);
    expect(stagingOffset, Long.BYTES);
  }

  private void verb(int operation, int length, long offset, int operands) {
    int end = frame.position() + Wire.VERB_LENGTH + operands;
    if (end > frame.capacity()) {
      ByteBuffer larger = Wire.buffer(Math.max(end, 2 * frame.capacity()));
      larger.put(frame.flip());
      frame = larger;
    }
    frame.putLong(Wire.verb(operation, length)).putLong(offset);
    verbs++;
  }

  private void expect(int stagingOffset, int length) {
    if (results == stagingOffsets.length) {
      lengths = Arrays.copyOf(lengths, results * 2);
      stagingOffsets = Arrays.copyOf(stagingOffsets, results * 2);
    }
    stagingOffsets[results] = stagingOffset;
    lengths[results] = length;
    results++;
    resultBytes += Wire.padded(length);
  }

  @Override
  ByteBuffer frame(long sequence) {
    frame.putShort(Wire.COUNT_OFFSET, (short) verbs);
    frame.putLong(Wire.SEQUENCE_OFFSET, sequence);
    return Wire.end(frame);
  }

  @Override
  void unframe() {
    frame.position(frame.limit()).limit(frame.capacity());
  }

  @Override
  int resultBytes() {
    return resultBytes;
  }

  @Override
  void accept(ByteBuffer reply) {
    int at = reply.position();
    for (int i = 0; i < results; i++) {
      staging.put(stagingOffsets[i], reply, at, lengths[i]);
      at += Wire.padded(lengths[i]);
    }
    reply.position(at);
  }
}
