package org.nelumbo.dm.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file. One thread at a time writes; any thread may read. */
public interface DiskFile extends AutoCloseable {
  /** Returns the bytes of the file. */
  long size() throws IOException;

  /** Writes the remaining bytes of the buffer; the file grows if necessary. */
  void write(ByteBuffer source, long offset) throws IOException;

  /**
   * Reads until the buffer is full or the file ends.
   *
   * @return the number of bytes read
   */
  int read(ByteBuffer target, long offset) throws IOException;

  /** Makes all writes durable; if this throws, the content of the file on the disk is unknown. */
  void force() throws IOException;

  @Override
  void close() throws IOException;
}
