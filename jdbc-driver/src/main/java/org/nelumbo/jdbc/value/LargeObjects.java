package org.nelumbo.jdbc.value;

import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.SQLException;

/**
 * Reads streams and large objects of a caller to their end; returns null for null. Every exception
 * that they throw is converted to an {@code SQLException}.
 */
public final class LargeObjects {
  private static final int LENGTH_MAX = Integer.MAX_VALUE - 8;
  private static final int CHUNK = 8192;

  private LargeObjects() {}

  private static int length(long length) throws SQLException {
    if (length < 0 || length > LENGTH_MAX) {
      throw SqlExceptions.badParameter(
          "length " + length + " is out of range; it is at most " + LENGTH_MAX);
    }
    return (int) length;
  }

  /** Returns all bytes of a BLOB, which may be implemented by the caller. */
  public static byte[] bytes(Blob blob) throws SQLException {
    if (blob == null) {
      return null;
    }
    try {
      return blob.getBytes(1, length(blob.length())).clone();
    } catch (Throwable e) {
      throw SqlExceptions.ofCaller("the BLOB", e);
    }
  }

  /** Returns all characters of a CLOB, which may be implemented by the caller. */
  public static String text(Clob clob) throws SQLException {
    if (clob == null) {
      return null;
    }
    try {
      String text = clob.getSubString(1, length(clob.length()));
      if (text != null) {
        return text;
      }
    } catch (Throwable e) {
      throw SqlExceptions.ofCaller("the CLOB", e);
    }
    throw SqlExceptions.badParameter("the CLOB has no text");
  }

  /** Returns the remaining bytes of a stream. */
  public static byte[] bytes(InputStream stream) throws SQLException {
    if (stream == null) {
      return null;
    }
    try {
      return stream.readAllBytes();
    } catch (Throwable e) {
      throw SqlExceptions.ofCaller("the stream", e);
    }
  }

  /** Returns the next bytes of a stream, up to a length or the end of the stream. */
  public static byte[] bytes(InputStream stream, long length) throws SQLException {
    if (stream == null) {
      return null;
    }
    checkLength(length);
    try {
      return stream.readNBytes((int) Math.min(length, LENGTH_MAX));
    } catch (Throwable e) {
      throw SqlExceptions.ofCaller("the stream", e);
    }
  }

  /** Returns the remaining characters of a reader. */
  public static String text(Reader reader) throws SQLException {
    return text(reader, Long.MAX_VALUE);
  }

  /** Returns the next characters of a reader, up to a length or the end of the reader. */
  public static String text(Reader reader, long length) throws SQLException {
    if (reader == null) {
      return null;
    }
    checkLength(length);
    try {
      StringWriter writer = new StringWriter();
      char[] chunk = new char[CHUNK];
      long left = length;
      int count = 0;
      while (left > 0 && count >= 0) {
        count = reader.read(chunk, 0, (int) Math.min(chunk.length, left));
        if (count > 0) {
          writer.write(chunk, 0, count);
          left -= count;
        }
      }
      return writer.toString();
    } catch (Throwable e) {
      throw SqlExceptions.ofCaller("the stream", e);
    }
  }

  private static void checkLength(long length) throws SQLException {
    if (length < 0) {
      throw SqlExceptions.badParameter("the length is negative");
    }
  }
}
