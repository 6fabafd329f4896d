package org.nelumbo.dm.redo.node;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A request to a memory node about the files of its log, to read or to replace them. Encoded, in
 * big-endian order: a byte with the kind, two numbers of eight bytes, the length of a text (8) and
 * the text, and the rest.
 *
 * @param what kind of the request
 * @param first offset, or another number
 * @param second length
 * @param name name of a file
 * @param rest further data
 */
record LogRequest(byte what, long first, long second, String name, byte[] rest) {
  /** Maximum of bytes of a file that are read or written at once. */
  static final int PIECE_BYTES = 256 << 10;

  /**
   * Requests its {@link LogState}; with 1 as first number, its files are kept until they are
   * released.
   */
  static final byte STATE = 1;

  static final byte LET_GO = 2;

  /** Reads bytes of a file. */
  static final byte READ = 3;

  /** Starts a new log beside its own, of the pool with an id. */
  static final byte BEGIN = 4;

  /** Writes bytes to a file of that log, which are on the disk at the response. */
  static final byte WRITE = 5;

  /**
   * Replaces its own log by that one, which is complete; the rest is state that is only in memory.
   */
  static final byte FINISH = 6;

  /** Requests the pool's id and the last log checkpoints, the newest first, 8 bytes each. */
  static final byte MARKS = 7;

  /** Searches for log checkpoints; see {@link NodeLog#find}. */
  static final byte FIND = 8;

  /**
   * Starts to replace the frames behind a log checkpoint; the response is a {@link
   * LogDifference.Beginning}.
   */
  static final byte REPLACE = 9;

  /** Frames of the replacement. */
  static final byte FRAMES = 10;

  /** Makes these frames valid instead of the old ones; the rest is as in {@link #FINISH}. */
  static final byte SWITCH = 11;

  /** Progress of loading the pool from the log, in UTF-8; empty if it is not being loaded. */
  static final byte LOADING = 12;

  private static final byte[] NOTHING = {};

  static byte[] of(byte what, long first) {
    return new LogRequest(what, first, 0, "", NOTHING).encode();
  }

  static byte[] read(String name, long offset, int length) {
    return new LogRequest(READ, offset, length, name, NOTHING).encode();
  }

  static byte[] write(String name, long offset, byte[] bytes) {
    return new LogRequest(WRITE, offset, bytes.length, name, bytes).encode();
  }

  static byte[] of(byte what, byte[] rest) {
    return new LogRequest(what, 0, 0, "", rest).encode();
  }

  /** Encodes a {@link #FINISH} or a {@link #SWITCH}. */
  static byte[] end(byte what, long lastStore, List<LogState.Committed> committed) {
    ByteBuffer rest = ByteBuffer.allocate(Long.BYTES + committed.size() * 2 * Long.BYTES);
    LogState.putCommitted(rest, committed);
    return new LogRequest(what, lastStore, 0, "", rest.array()).encode();
  }

  private byte[] encode() {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer to = ByteBuffer.allocate(1 + 3 * Long.BYTES + text.length + rest.length);
    to.put(what).putLong(first).putLong(second).putLong(text.length).put(text).put(rest);
    return to.array();
  }

  /**
   * Decodes a request that {@link #encode} has written.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  static LogRequest decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    if (from.remaining() < 1 + 3 * Long.BYTES) {
      throw new IllegalArgumentException("not a log request length=" + bytes.length);
    }
    byte what = from.get();
    long first = from.getLong();
    long second = from.getLong();
    long length = from.getLong();
    if (length < 0 || length > from.remaining()) {
      throw new IllegalArgumentException("a name has no end length=" + length);
    }
    byte[] text = new byte[(int) length];
    from.get(text);
    byte[] rest = new byte[from.remaining()];
    from.get(rest);
    String name = new String(text, StandardCharsets.UTF_8);
    if (!name.matches("[A-Za-z0-9-]*(\\.new)?") || !name.isEmpty() && first < 0) {
      throw new IllegalArgumentException("not a log file name=" + name + " at=" + first);
    }
    return new LogRequest(what, first, second, name, rest);
  }
}
