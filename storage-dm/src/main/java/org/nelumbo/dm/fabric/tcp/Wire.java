package org.nelumbo.dm.fabric.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The frames between compute node and memory node, version 6; little-endian, lengths in bytes.
 *
 * <pre>
 *      0            4        5    6          8             16
 *      +------------+--------+----+----------+-------------+------
 *      |  length    |  type  | 0  |  count   |  sequence   | body
 *      +------------+--------+----+----------+-------------+------
 * </pre>
 *
 * <p>The length is the length of the whole frame, a multiple of 8. A verb is a sequence of words:
 * (operation, 8 bits; length of the data, 24 bits, only READ, WRITE and DIGEST; 0), offset in the
 * node, operands. The operands are: data, padded to a multiple of 8 with arbitrary bytes (WRITE),
 * the value (WRITE_WORD), expected value and replacement (CAS), the number to add (FAA), a key of
 * two words (DIGEST).
 *
 * <p>Results follow each other in the order of the verbs: the data, padded (READ), the old value
 * (CAS, FAA), four words (DIGEST, see {@link org.nelumbo.dm.pool.WindowDigest}), nothing (WRITE).
 */
public final class Wire {
  /** "NLMB", the start of every HELLO. */
  public static final int MAGIC = 0x424D4C4E;

  public static final int VERSION = 6;
  public static final int HEADER_LENGTH = 16;
  public static final int TYPE_OFFSET = 4;
  public static final int COUNT_OFFSET = 6;
  public static final int SEQUENCE_OFFSET = 8;

  /** Longest frame in either direction: a verb with 1 MiB of data, and room for others. */
  public static final int FRAME_LENGTH_MAX = (1 << 20) + (64 << 10);

  /** Longest frame before a connection has attached: a request of agreement, with its proof. */
  public static final int FIRST_FRAME_LENGTH_MAX = 12 << 10;

  /** Maximum of data of one verb. */
  public static final int DATA_LENGTH_MAX = 1 << 20;

  public static final int VERBS_MAX = 0xFFFF;

  public static final byte HELLO = 1;
  public static final byte WELCOME = 2;
  public static final byte ATTACH = 3;
  public static final byte JOIN = 4;
  public static final byte ATTACHED = 5;
  public static final byte REFUSED = 6;
  public static final byte VERBS = 7;
  public static final byte RESULTS = 8;
  public static final byte STATUS = 9;
  public static final byte STATUS_IS = 10;
  public static final byte HEADER = 11;
  public static final byte HEADER_IS = 12;
  public static final byte AGREE = 13;
  public static final byte AGREE_IS = 14;

  /** Attaches to memory that several compute nodes share. */
  public static final byte ENTER = 15;

  /** Attaches for messages to other compute nodes instead of verbs. */
  public static final byte PEER = 16;

  /** Request of a tenant about tenants; the response is {@link #DONE} or {@link #DECLINED}. */
  public static final byte SHARE = 17;

  public static final byte OWN_ALONE = 18;
  public static final byte FENCE = 19;
  public static final byte TENANTS = 20;
  public static final byte LEAVE = 21;
  public static final byte DONE = 22;

  /** As {@link #REFUSED}, but the connection stays open. */
  public static final byte DECLINED = 23;

  /** A message to another compute node. */
  public static final byte SEND = 24;

  /** A message from another compute node. */
  public static final byte DELIVER = 25;

  /** A compute node cannot be reached through this memory node. */
  public static final byte ABSENT = 26;

  /** A heartbeat on a connection for messages; the response has the same type. */
  public static final byte BEAT = 27;

  /** Request for the cluster configuration, for monitoring. */
  public static final byte CONFIGURATION = 29;

  public static final byte CONFIGURATION_IS = 30;

  /** Opens another connection of a tenant, for frames of the log that the memory node keeps. */
  public static final byte LOG = 31;

  /**
   * A frame of the log: the transaction (8), then the frame as in the log, except for its position.
   * The response is {@link #RESULTS}, sent when the frame has a position, or is on the disk: see
   * {@link #FORCED}.
   */
  public static final byte APPEND = 32;

  /** Request for the commit timestamp (8) of a transaction of a failed compute node, or 0. */
  public static final byte COMMITTED = 33;

  /** Request to forget these timestamps, because no tenant will request them. */
  public static final byte FORGET_COMMITTED = 34;

  /** Request for the largest number (8) of a store that has rows in the log. */
  public static final byte LAST_STORE = 35;

  /** Count of an APPEND frame whose response waits until the log is on the disk up to its end. */
  public static final short FORCED = 1;

  /** Offset of the log frame in an APPEND frame. */
  public static final int LOG_FRAME_OFFSET = HEADER_LENGTH + Long.BYTES;

  /** Request for a queue pair that is connected to a queue pair of the compute node. */
  public static final byte QUEUE_PAIR = 36;

  /** Releases such a queue pair. */
  public static final byte QUEUE_PAIR_END = 37;

  /** Flag in ATTACHED: verbs are not sent in frames, but executed by queue pairs. */
  public static final long VERBS_BY_RDMA = 1;

  /** Attaches to a shared pool, whether or not this memory node serves other compute nodes. */
  public static final byte REJOIN = 38;

  /** Request to end the connections of another tenant, which may return. */
  public static final byte EXPEL = 39;

  /** Request about the files of the log, to copy or to replace them; see {@code dm.redo}. */
  public static final byte LOG_FILES = 40;

  /** First frame of a direct connection to another compute node, and its response. */
  public static final byte DIRECT = 41;

  public static final byte DIRECT_IS = 42;

  /** Count of a SEND or DELIVER frame that offers a direct connection and contains no message. */
  public static final short OFFER = 1;

  /** Count of a BEAT frame that requires a response. */
  public static final short QUESTION = 1;

  public static final int READ = 1;
  public static final int WRITE = 2;
  public static final int WRITE_WORD = 3;
  public static final int CAS = 4;
  public static final int FAA = 5;

  /** Returns a digest instead of the bytes. */
  public static final int DIGEST = 6;

  /** Bytes of a verb without data. */
  public static final int VERB_LENGTH = 16;

  public static final int NONCE_LENGTH = 32;
  public static final int PROOF_LENGTH = 32;
  public static final int SALT_LENGTH = 16;

  /** Flag in WELCOME: the memory node requires a secret. */
  public static final long SECRET_DEMANDED = 1;

  /** Count of a REFUSED frame: the text contains the reason. */
  public static final short OTHER_REASON = 0;

  /** Count of a REFUSED frame: the secret is wrong, another may be right. */
  public static final short WRONG_SECRET = 1;

  /** Count of a REFUSED or DECLINED frame: the tenant was fenced. */
  public static final short REVOKED = 2;

  /** Count of a REFUSED frame: the memory serves no compute node, so it cannot be entered. */
  public static final short VACANT = 3;

  /** Count of a REFUSED or DECLINED frame: several compute nodes share the memory. */
  public static final short SHARED = 4;

  /** Count of a REFUSED frame: the node is unusable until it is restarted. */
  public static final short BROKEN = 5;

  /** Count of a REFUSED frame: the node is still loading the data on its disk. */
  public static final short LOADING = 6;

  /**
   * Bytes in front of a message: header, number of the other compute node (4), length of the
   * message (4), incarnation of the other compute node (8).
   */
  public static final int MESSAGE_OFFSET = HEADER_LENGTH + 2 * Long.BYTES;

  /** Offset of the number of the other compute node in the frame of a message. */
  public static final int PEER_NODE_OFFSET = HEADER_LENGTH;

  /** Offset of the length of the message in its frame, which may be padded. */
  public static final int MESSAGE_LENGTH_OFFSET = HEADER_LENGTH + Integer.BYTES;

  /** Offset of the incarnation of the other compute node in the frame of a message. */
  public static final int PEER_INCARNATION_OFFSET = HEADER_LENGTH + Long.BYTES;

  private static final int TEXT_LENGTH_MAX = 2048;

  /** Longest REFUSED frame: two texts, padded. */
  public static final int REFUSED_LENGTH_MAX =
      HEADER_LENGTH + 2 * (Integer.BYTES + TEXT_LENGTH_MAX);

  private static final int OPERATION_SHIFT = 56;
  private static final int LENGTH_SHIFT = 32;
  private static final int LENGTH_MASK = 0xFFFFFF;

  private Wire() {}

  /** Encodes the first word of a verb. */
  public static long verb(int operation, int length) {
    return (long) operation << OPERATION_SHIFT | (long) length << LENGTH_SHIFT;
  }

  public static int operation(long verb) {
    return (int) (verb >>> OPERATION_SHIFT);
  }

  public static int length(long verb) {
    return (int) (verb >>> LENGTH_SHIFT) & LENGTH_MASK;
  }

  public static int padded(int length) {
    return (length + 7) & -8;
  }

  /** Allocates a buffer for frames, on the heap because the streams of sockets accept arrays. */
  public static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns the array of a {@link #buffer}, whose first element is the first byte of the buffer.
   */
  @SuppressWarnings("ByteBufferBackingArray")
  public static byte[] array(ByteBuffer frame) {
    return frame.array();
  }

  /** Starts a frame whose length is set by {@link #end}. */
  public static void begin(ByteBuffer frame, byte type) {
    frame.clear();
    frame.putInt(0).put(type).put((byte) 0).putShort((short) 0).putLong(0);
  }

  /** Pads the frame, sets its length, and makes the buffer ready to be written. */
  public static ByteBuffer end(ByteBuffer frame) {
    while ((frame.position() & 7) != 0) {
      frame.put((byte) 0);
    }
    frame.putInt(0, frame.position());
    return frame.flip();
  }

  /** Appends a length and bytes. */
  public static void putBytes(ByteBuffer frame, byte[] bytes) {
    frame.putInt(bytes.length).put(bytes);
  }

  /**
   * Reads bytes that {@link #putBytes} has written.
   *
   * @throws IllegalArgumentException if they are longer than the frame
   */
  public static byte[] getBytes(ByteBuffer frame) {
    int length = frame.getInt();
    if (length < 0 || length > frame.remaining()) {
      throw new IllegalArgumentException("bytes are longer than their frame length=" + length);
    }
    byte[] bytes = new byte[length];
    frame.get(bytes);
    return bytes;
  }

  public static void putText(ByteBuffer frame, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, TEXT_LENGTH_MAX);
    frame.putInt(length).put(bytes, 0, length);
  }

  /**
   * Reads a text that {@link #putText} has written.
   *
   * @throws IllegalArgumentException if it is longer than the frame
   */
  public static String getText(ByteBuffer frame) {
    return new String(getBytes(frame), StandardCharsets.UTF_8);
  }
}
