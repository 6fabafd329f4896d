package org.nelumbo.dm.fabric.rdma;

/**
 * A work request of a send queue, {@code ibv_send_wr}, and its scatter element, {@code ibv_sge}.
 *
 * <pre>
 * 0                8                16               24       28       32       40
 * +----------------+----------------+----------------+--------+--------+--------+
 * |  id            |  next request  |  its elements  | count  | opcode | flags  | ...
 * +----------------+----------------+----------------+--------+--------+--------+
 * 40               48               56               64
 * +----------------+----------------+----------------+--------+
 * |  remote        |  key, or       |  replacement   |  key   |
 * |  address       |  expected, sum |                |        |   128 bytes in all
 * +----------------+----------------+----------------+--------+
 *
 * element:  local address (8), length (4), local key (4)
 * </pre>
 *
 * The remote key of a READ or WRITE is at 48. The remote key of a CAS or FAA is at 64, because
 * their operands occupy 48 to 63.
 */
public final class SendRequest {
  public static final int LENGTH = 128;
  public static final int NEXT_OFFSET = 8;
  public static final int ELEMENTS_OFFSET = 16;
  public static final int ELEMENT_COUNT_OFFSET = 24;
  public static final int CODE_OFFSET = 28;
  public static final int FLAGS_OFFSET = 32;
  public static final int REMOTE_OFFSET = 40;
  public static final int KEY_OFFSET = 48;
  public static final int COMPARE_ADD_OFFSET = 48;
  public static final int SWAP_OFFSET = 56;
  public static final int ATOMIC_KEY_OFFSET = 64;

  public static final int ELEMENT_LENGTH = 16;
  public static final int ELEMENT_BYTES_OFFSET = 8;
  public static final int ELEMENT_KEY_OFFSET = 12;

  public static final int WRITE = 0;
  public static final int READ = 4;
  public static final int COMPARE_AND_SWAP = 5;
  public static final int FETCH_AND_ADD = 6;

  /** Delays the request until all READs and atomics before it are complete. */
  public static final int FENCE = 1;

  public static final int SIGNALED = 2;

  /** Copies the data when the request is posted. */
  public static final int INLINE = 8;

  private SendRequest() {}

  /** Sets the constant fields of a request and its element. */
  static void prepare(long request, long element) {
    NativeMemory.putLong(request + ELEMENTS_OFFSET, element);
    NativeMemory.putInt(request + ELEMENT_COUNT_OFFSET, 1);
  }

  static void next(long request, long next) {
    NativeMemory.putLong(request + NEXT_OFFSET, next);
  }

  static int flags(long request) {
    return NativeMemory.getInt(request + FLAGS_OFFSET);
  }

  static void flags(long request, int flags) {
    NativeMemory.putInt(request + FLAGS_OFFSET, flags);
  }

  static void element(long element, long address, int bytes, int key) {
    NativeMemory.putLong(element, address);
    NativeMemory.putInt(element + ELEMENT_BYTES_OFFSET, bytes);
    NativeMemory.putInt(element + ELEMENT_KEY_OFFSET, key);
  }

  /** Encodes a READ or a WRITE. */
  static void copy(long request, int code, int flags, long remote, int key) {
    NativeMemory.putInt(request + CODE_OFFSET, code);
    NativeMemory.putInt(request + FLAGS_OFFSET, flags);
    NativeMemory.putLong(request + REMOTE_OFFSET, remote);
    NativeMemory.putInt(request + KEY_OFFSET, key);
  }

  /** Encodes a CAS or an FAA; for an FAA {@code compareAdd} is the number to add. */
  static void atomic(
      long request, int code, int flags, long remote, long compareAdd, long swap, int key) {
    NativeMemory.putInt(request + CODE_OFFSET, code);
    NativeMemory.putInt(request + FLAGS_OFFSET, flags);
    NativeMemory.putLong(request + REMOTE_OFFSET, remote);
    NativeMemory.putLong(request + COMPARE_ADD_OFFSET, compareAdd);
    NativeMemory.putLong(request + SWAP_OFFSET, swap);
    NativeMemory.putInt(request + ATOMIC_KEY_OFFSET, key);
  }
}
