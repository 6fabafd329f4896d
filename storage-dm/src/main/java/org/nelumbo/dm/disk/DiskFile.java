package org.nelumbo.dm.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that is open. One thread at a time writes; any may read. */
public interface DiskFile extends AutoCloseable {
  /** Bytes of the file. */
  long size() throws IOException;

  /** Writes all that the buffer has left; the file grows if it has to. */
  void write(ByteBuffer source, long offset) throws IOException;

  /**
   * Reads until the buffer is full or the file ends.
   *
   * @return bytes that were read
   */
  int read(ByteBuffer target, long offset) throws IOException;

  /** Forces what was written; if this throws, nobody knows what is on the disk. */
  void force() throws IOException;

  @Override
  void close() throws IOException;
}
