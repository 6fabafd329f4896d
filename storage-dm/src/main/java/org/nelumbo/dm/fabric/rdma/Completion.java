package org.nelumbo.dm.fabric.rdma;

/**
 * The result of a work request, {@code ibv_wc}.
 *
 * <pre>
 * 0                8          12         16             20
 * +----------------+----------+----------+--------------+
 * |  id            |  status  |  opcode  | vendor error |  ...  48 bytes in all
 * +----------------+----------+----------+--------------+
 * </pre>
 */
public final class Completion {
  public static final int LENGTH = 48;
  static final int STATUS_OFFSET = 8;
  static final int VENDOR_OFFSET = 16;
  public static final int DONE = 0;

  private Completion() {}

  static int status(long completion) {
    return NativeMemory.getInt(completion + STATUS_OFFSET);
  }

  /** Describes a status for an error message. */
  static String text(int status) {
    return switch (status) {
      case 2, 4 -> "the device rejects a request of this process";
      case 5 -> "the queue pair was closed";
      case 9, 11 -> "the memory node's device cannot execute the request";
      case 10 -> "the memory node's device denies access: its memory was deregistered";
      case 12 -> "the memory node's device does not respond";
      case 13 -> "the memory node's device is not ready";
      default -> "a verb failed";
    };
  }
}
