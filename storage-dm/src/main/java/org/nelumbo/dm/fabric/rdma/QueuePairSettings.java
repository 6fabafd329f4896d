package org.nelumbo.dm.fabric.rdma;

/**
 * The creation parameters of a queue pair, {@code ibv_qp_init_attr}, in this order:
 *
 * <ul>
 *   <li>context, completion queue of sent requests, completion queue of received requests, shared
 *       receive queue (8 bytes each);
 *   <li>maximum numbers of outstanding send and receive requests, maximum numbers of their
 *       elements, bytes of inline data, type, flag that signals all requests (4 bytes each).
 * </ul>
 */
public final class QueuePairSettings {
  /** Size in bytes. */
  public static final int LENGTH = 64;

  static final int SEND_COMPLETIONS_OFFSET = 8;
  static final int RECEIVE_COMPLETIONS_OFFSET = 16;
  static final int SEND_REQUESTS_OFFSET = 32;
  static final int RECEIVE_REQUESTS_OFFSET = 36;
  static final int SEND_ELEMENTS_OFFSET = 40;
  static final int RECEIVE_ELEMENTS_OFFSET = 44;
  static final int INLINE_BYTES_OFFSET = 48;
  static final int TYPE_OFFSET = 52;
  static final int SIGNAL_ALL_OFFSET = 56;
  static final int RELIABLE_CONNECTION = 2;

  private QueuePairSettings() {}

  /** Sets the parameters of a queue pair of the engine, whose requests have one element each. */
  public static void set(long settings, long completions, int requests, int inlineBytes) {
    NativeMemory.putLong(settings + SEND_COMPLETIONS_OFFSET, completions);
    NativeMemory.putLong(settings + RECEIVE_COMPLETIONS_OFFSET, completions);
    NativeMemory.putInt(settings + SEND_REQUESTS_OFFSET, requests);
    NativeMemory.putInt(settings + RECEIVE_REQUESTS_OFFSET, 1);
    NativeMemory.putInt(settings + SEND_ELEMENTS_OFFSET, 1);
    NativeMemory.putInt(settings + RECEIVE_ELEMENTS_OFFSET, 1);
    NativeMemory.putInt(settings + INLINE_BYTES_OFFSET, inlineBytes);
    NativeMemory.putInt(settings + TYPE_OFFSET, RELIABLE_CONNECTION);
    NativeMemory.putInt(settings + SIGNAL_ALL_OFFSET, 0);
  }

  /** Returns the bytes of inline data that the device has granted, which may exceed the request. */
  static int inlineBytes(long settings) {
    return NativeMemory.getInt(settings + INLINE_BYTES_OFFSET);
  }
}
