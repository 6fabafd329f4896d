package org.nelumbo.jdbc.value;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.SQLException;

/**
 * In-memory {@code Clob}: a VARCHAR value, for callers that prefer large objects. Positions count
 * from 1. Characters written to a stream are stored when the stream is closed.
 */
public final class MemoryClob implements NClob {
  /** Null once freed. */
  private String text;

  public MemoryClob(String text) {
    this.text = text;
  }

  private String text() throws SQLException {
    if (text == null) {
      throw SqlExceptions.badParameter("the CLOB has been freed");
    }
    return text;
  }

  @Override
  public long length() throws SQLException {
    return text().length();
  }

  @Override
  public String getSubString(long position, int count) throws SQLException {
    MemoryBlob.checkCount(count);
    int from = MemoryBlob.index(position, length());
    try {
      return text.substring(from, from + Math.min(count, text.length() - from));
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public Reader getCharacterStream() throws SQLException {
    return new StringReader(text());
  }

  @Override
  public Reader getCharacterStream(long position, long count) throws SQLException {
    MemoryBlob.checkCount(count);
    return new StringReader(getSubString(position, (int) Math.min(count, Integer.MAX_VALUE)));
  }

  @Override
  public InputStream getAsciiStream() throws SQLException {
    try {
      return new ByteArrayInputStream(text().getBytes(StandardCharsets.US_ASCII));
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public long position(String pattern, long start) throws SQLException {
    MemoryBlob.checkNotNull(pattern);
    try {
      int found = text().indexOf(pattern, MemoryBlob.index(start, length()));
      return found < 0 ? -1 : found + 1L;
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public long position(Clob pattern, long start) throws SQLException {
    MemoryBlob.checkNotNull(pattern);
    return position(LargeObjects.text(pattern), start);
  }

  @Override
  public int setString(long position, String source) throws SQLException {
    MemoryBlob.checkNotNull(source);
    return setString(position, source, 0, source.length());
  }

  @Override
  public int setString(long position, String source, int offset, int count) throws SQLException {
    MemoryBlob.checkNotNull(source);
    int from = MemoryBlob.index(position, length());
    MemoryBlob.checkPart(offset, count, source.length(), from);
    try {
      int end = Math.min(text.length(), from + count);
      String part = source.substring(offset, offset + count);
      text = text.substring(0, from) + part + text.substring(end);
      return count;
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  private void store(long position, String written) throws IOException {
    try {
      setString(position, written);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  @Override
  public OutputStream setAsciiStream(long position) throws SQLException {
    MemoryBlob.index(position, length());
    return new ByteArrayOutputStream() {
      @Override
      public void close() throws IOException {
        store(position, toString(StandardCharsets.US_ASCII));
        reset();
      }
    };
  }

  @Override
  public Writer setCharacterStream(long position) throws SQLException {
    MemoryBlob.index(position, length());
    return new StringWriter() {
      @Override
      public void close() throws IOException {
        store(position, toString());
        getBuffer().setLength(0);
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
      text = text.substring(0, (int) length);
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public void free() {
    text = null;
  }
}
