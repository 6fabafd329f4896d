package org.nelumbo.dm.fabric.rdma;

/**
 * What a queue pair is made with, {@code ibv_qp_init_attr}: context (8), queues of completions of
 * what is sent (8) and received (8), shared receive queue (8), then requests that may be sent and
 * received at a time, elements of each, bytes of inline data, type, whether all are signaled (4
 * each).
 */
public final class QueuePairSettings {
  /** Bytes of it. */
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

  /** Those of a queue pair of the engine, which posts requests of one element and receives none. */
  static void set(long settings, long completions, int requests, int inlineBytes) {
    setQueues(settings, completions, completions);
    setLimits(settings, requests, 1, 1, inlineBytes);
    setType(settings, RELIABLE_CONNECTION, 0);
  }

  /** Sets the queues of completions. */
  public static void setQueues(long settings, long sendCompletions, long receiveCompletions) {
    NativeMemory.putLong(settings + SEND_COMPLETIONS_OFFSET, sendCompletions);
    NativeMemory.putLong(settings + RECEIVE_COMPLETIONS_OFFSET, receiveCompletions);
  }

  /** Sets how many requests there may be, and how many elements each may have. */
  public static void setLimits(
      long settings, int sendRequests, int receiveRequests, int elements, int inlineBytes) {
    NativeMemory.putInt(settings + SEND_REQUESTS_OFFSET, sendRequests);
    NativeMemory.putInt(settings + RECEIVE_REQUESTS_OFFSET, receiveRequests);
    NativeMemory.putInt(settings + SEND_ELEMENTS_OFFSET, elements);
    NativeMemory.putInt(settings + RECEIVE_ELEMENTS_OFFSET, elements);
    NativeMemory.putInt(settings + INLINE_BYTES_OFFSET, inlineBytes);
  }

  /** Sets what kind it is, and whether all of its requests are signaled. */
  public static void setType(long settings, int type, int isAllSignaled) {
    NativeMemory.putInt(settings + TYPE_OFFSET, type);
    NativeMemory.putInt(settings + SIGNAL_ALL_OFFSET, isAllSignaled);
  }

  /** The bytes of inline data that the device has granted, which may be more. */
  static int inlineBytes(long settings) {
    return NativeMemory.getInt(settings + INLINE_BYTES_OFFSET);
  }
}
