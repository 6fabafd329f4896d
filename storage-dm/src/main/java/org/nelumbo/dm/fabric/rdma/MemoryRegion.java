package org.nelumbo.dm.fabric.rdma;

/**
 * Memory that is registered with a device: it is not moved, and the device may use it.
 *
 * @param localKey by which requests of this side name it
 * @param remoteKey by which requests of the other side name it
 * @param onClose gives it back
 */
public record MemoryRegion(int localKey, int remoteKey, Runnable onClose) implements AutoCloseable {
  /** In {@code ibv_mr}. */
  public static final int LOCAL_KEY_OFFSET = 36;

  public static final int REMOTE_KEY_OFFSET = 40;

  @Override
  public void close() {
    onClose.run();
  }
}
