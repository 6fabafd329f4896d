package org.nelumbo.dm.fabric.tcp;

import java.nio.ByteBuffer;

/** A request to a memory node about the files of its log. */
final class LogFilesRequest extends LinkRequest {
  private final ByteBuffer frame;
  private byte[] reply;

  LogFilesRequest(byte[] question) {
    frame = Wire.buffer(Wire.HEADER_LENGTH + Integer.BYTES + Wire.padded(question.length + 8));
    Wire.begin(frame, Wire.LOG_FILES);
    Wire.putBytes(frame, question);
  }

  /** Returns the response. */
  byte[] reply() {
    return reply;
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

  /** Unknown before the response. */
  @Override
  int resultBytes() {
    return ANY_NUMBER;
  }

  @Override
  void accept(ByteBuffer results) {
    reply = Wire.getBytes(results);
  }
}
