package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A stream of frames that can be read anywhere. */
public interface FrameSource {
  /**
   * Reads until the buffer is full or the stream ends.
   *
   * @return bytes that were read
   */
  int read(ByteBuffer target, long position) throws IOException;

  /** What people find a position by. */
  String place(long position);

  /** The first position of the next file behind a position; less than 0 if there is none. */
  default long nextFile(long position) {
    return -1;
  }
}
