package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A stream of frames with random access. */
public interface FrameSource {
  /**
   * Reads until the buffer is full or the stream ends.
   *
   * @return number of bytes read
   */
  int read(ByteBuffer target, long position) throws IOException;

  /** Describes a position for messages. */
  String location(long position);

  /** Returns the first position of the next file behind a position; negative if there is none. */
  default long nextFile(long position) {
    return -1;
  }
}
