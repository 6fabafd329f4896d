package org.nelumbo.jdbc.value;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Blob;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * In-memory {@code Blob}: a copy of a VARBINARY value, for callers that prefer large objects.
 * Positions count from 1. Bytes written to a stream are stored when the stream is closed.
 */
public final class MemoryBlob implements Blob {
  private static final int LENGTH_MAX = Integer.MAX_VALUE - 8;

  /** Null once freed. */
  private byte[] bytes;

  public MemoryBlob(byte[] bytes) {
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

  static void checkNotNull(Object value) throws SQLException {
    if (value == null) {
      throw SqlExceptions.badParameter("the value is null");
    }
  }

  /** Checks that a part is within its source, and that the target does not become too long. */
  static void checkPart(int offset, int count, int sourceLength, int from) throws SQLException {
    if (offset < 0 || count < 0 || count > sourceLength - offset) {
      throw SqlExceptions.badParameter(
          "offset " + offset + ", length " + count + " is outside of a source of " + sourceLength);
    }
    if (count > LENGTH_MAX - from) {
      throw SqlExceptions.badParameter("the value would be longer than " + LENGTH_MAX);
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
    try {
      return Arrays.copyOfRange(bytes, from, from + Math.min(count, bytes.length - from));
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public InputStream getBinaryStream() throws SQLException {
    return new ByteArrayInputStream(bytes());
  }

  @Override
  public InputStream getBinaryStream(long position, long count) throws SQLException {
    checkCount(count);
    return new ByteArrayInputStream(getBytes(position, (int) Math.min(count, Integer.MAX_VALUE)));
  }

  @Override
  public long position(byte[] pattern, long start) throws SQLException {
    checkNotNull(pattern);
    try {
      int last = bytes().length - pattern.length;
      for (int from = index(start, bytes.length); from <= last; from++) {
        if (Arrays.equals(bytes, from, from + pattern.length, pattern, 0, pattern.length)) {
          return from + 1L;
        }
      }
      return -1;
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public long position(Blob pattern, long start) throws SQLException {
    checkNotNull(pattern);
    return position(LargeObjects.bytes(pattern), start);
  }

  @Override
  public int setBytes(long position, byte[] source) throws SQLException {
    checkNotNull(source);
    return setBytes(position, source, 0, source.length);
  }

  @Override
  public int setBytes(long position, byte[] source, int offset, int count) throws SQLException {
    checkNotNull(source);
    int from = index(position, length());
    checkPart(offset, count, source.length, from);
    try {
      byte[] longer = Arrays.copyOf(bytes, Math.max(bytes.length, from + count));
      System.arraycopy(source, offset, longer, from, count);
      bytes = longer;
      return count;
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public OutputStream setBinaryStream(long position) throws SQLException {
    index(position, length());
    return new ByteArrayOutputStream() {
      @Override
      public void close() throws IOException {
        try {
          setBytes(position, toByteArray());
        } catch (SQLException e) {
          throw new IOException(e);
        }
        reset();
      }
    };
  }

  @Override
  public void truncate(long length) throws SQLException {
    if (length < 0 || length > length()) {
      throw SqlExceptions.badParameter(
          "length " + length + " is outside of a value of length " + length());
    }
    try {
      bytes = Arrays.copyOf(bytes, (int) length);
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public void free() {
    bytes = null;
  }
}
