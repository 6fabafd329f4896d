package org.nelumbo.jdbc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Blob;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * In-memory {@code Blob}: a copy of a VARBINARY value, for callers that prefer large objects.
 * Positions count from 1. What is written to a stream arrives when the stream is closed.
 */
final class MemoryBlob implements Blob {
  /** The value; null once freed. */
  private byte[] bytes;

  MemoryBlob(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  private byte[] bytes() throws SQLException {
    if (bytes == null) {
      throw SqlExceptions.badParameter("the BLOB has been freed");
    }
    return bytes;
  }

  /** Converts a position, which may be at most one past the end, to an index from 0. */
  static int index(long position, long length) throws SQLException {
    if (position < 1 || position > length + 1) {
      throw SqlExceptions.badParameter(
          "position " + position + " is outside of a value of length " + length);
    }
    return (int) position - 1;
  }

  static void checkCount(long count) throws SQLException {
    if (count < 0) {
      throw SqlExceptions.badParameter("the length is negative");
    }
  }

  @Override
  public long length() throws SQLException {
    return bytes().length;
  }

  @Override
  public byte[] getBytes(long position, int count) throws SQLException {
    checkCount(count);
    int from = index(position, length());
    return Arrays.copyOfRange(bytes, from, from + Math.min(count, bytes.length - from));
  }

  @Override
  public InputStream getBinaryStream() throws SQLException {
    return new ByteArrayInputStream(bytes());
  }

  @Override
  public InputStream getBinaryStream(long position, long count) throws SQLException {
    return new ByteArrayInputStream(getBytes(position, (int) Math.min(count, Integer.MAX_VALUE)));
  }

  @Override
  public long position(byte[] pattern, long start) throws SQLException {
    int last = bytes().length - pattern.length;
    for (int from = index(start, bytes.length); from <= last; from++) {
      if (Arrays.equals(bytes, from, from + pattern.length, pattern, 0, pattern.length)) {
        return from + 1L;
      }
    }
    return -1;
  }

  @Override
  public long position(Blob pattern, long start) throws SQLException {
    return position(pattern.getBytes(1, (int) pattern.length()), start);
  }

  @Override
  public int setBytes(long position, byte[] source) throws SQLException {
    return setBytes(position, source, 0, source.length);
  }

  @Override
  public int setBytes(long position, byte[] source, int offset, int count) throws SQLException {
    int from = index(position, length());
    byte[] longer = Arrays.copyOf(bytes, Math.max(bytes.length, from + count));
    System.arraycopy(source, offset, longer, from, count);
    bytes = longer;
    return count;
  }

  @Override
  public OutputStream setBinaryStream(long position) throws SQLException {
    index(position, length());
    return new ByteArrayOutputStream() {
      @Override
      public void close() {
        try {
          setBytes(position, toByteArray());
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
        reset();
      }
    };
  }

  @Override
  public void truncate(long length) throws SQLException {
    index(length + 1, length());
    bytes = Arrays.copyOf(bytes, (int) length);
  }

  @Override
  public void free() {
    bytes = null;
  }
}
