package org.nelumbo.executor.op.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * A temporary file that is deleted when it is closed, or when the process ends. Not thread-safe.
 */
final class TemporaryFile implements AutoCloseable {
  /** System property that sets the directory. */
  static final String DIRECTORY_PROPERTY = "nelumbo.tempDir";

  private final Path path;
  private final FileChannel channel;

  private TemporaryFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  static TemporaryFile create() {
    String directory = System.getProperty(DIRECTORY_PROPERTY, System.getProperty("java.io.tmpdir"));
    try {
      Path path = Files.createTempFile(Path.of(directory), "nelumbo-", ".rows");
      try {
        return new TemporaryFile(
            path,
            FileChannel.open(
                path,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE));
      } catch (IOException e) {
        Files.deleteIfExists(path);
        throw e;
      }
    } catch (IOException e) {
      throw failure(Path.of(directory), e);
    }
  }

  /** Writes the bytes from the position to the limit. */
  void write(ByteBuffer bytes, long at) {
    try {
      long position = at;
      while (bytes.hasRemaining()) {
        position += channel.write(bytes, position);
      }
    } catch (IOException e) {
      throw failure(path, e);
    }
  }

  /** Fills the buffer, or stops at the end of the file. */
  void read(ByteBuffer bytes, long at) {
    try {
      long position = at;
      while (bytes.hasRemaining()) {
        int count = channel.read(bytes, position);
        if (count < 0) {
          return;
        }
        position += count;
      }
    } catch (IOException e) {
      throw failure(path, e);
    }
  }

  private static NelumboException failure(Path path, IOException e) {
    if (e instanceof ClosedByInterruptException) {
      return new NelumboException(
          ErrorCode.CANCELLED, "the thread was interrupted while the statement ran", e);
    }
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    boolean full =
        text.contains("no space") || text.contains("quota") || text.contains("too large");
    return new NelumboException(
        full ? ErrorCode.DISK_FULL : ErrorCode.IO_ERROR,
        "a statement that needs more memory than maxStatementMemory could not use the temporary"
            + " file "
            + path
            + ": "
            + e.getMessage()
            + "; free space, or name another directory with -D"
            + DIRECTORY_PROPERTY,
        e);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failure(path, e);
    }
  }
}
