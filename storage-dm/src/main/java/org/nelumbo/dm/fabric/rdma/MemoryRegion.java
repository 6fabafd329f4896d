package org.nelumbo.dm.fabric.rdma;

/**
 * Memory that is registered with a device: its pages are pinned, and the device may access it.
 *
 * @param localKey key that names it in requests of this side
 * @param remoteKey key that names it in requests of the other side
 * @param onClose deregisters it
 */
public record MemoryRegion(int localKey, int remoteKey, Runnable onClose) implements AutoCloseable {
  /** Offset in {@code ibv_mr}. */
  public static final int LOCAL_KEY_OFFSET = 36;

  public static final int REMOTE_KEY_OFFSET = 40;

  @Override
  public void close() {
    onClose.run();
  }
}
