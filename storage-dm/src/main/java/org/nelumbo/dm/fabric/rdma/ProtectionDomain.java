package org.nelumbo.dm.fabric.rdma;

/**
 * A protection domain of an open device: registered memory, and the queue pairs whose requests may
 * access it. Thread-safe. Closed after all resources that were created in it.
 */
public interface ProtectionDomain extends AutoCloseable {
  /** Creates the domain of a device. */
  interface Factory {
    /**
     * Creates a domain.
     *
     * @param context open device, {@code ibv_context}, which stays open as long as the domain
     * @param gid address of the device's port that is used
     * @throws IllegalStateException if the device cannot create a domain
     */
    ProtectionDomain open(long context, GidEntry gid);
  }

  /**
   * Registers memory, which stays pinned until the region is closed.
   *
   * @param access rights, {@code ibv_access_flags}
   * @throws IllegalStateException if the device refuses
   */
  MemoryRegion register(long address, long bytes, int access);

  /**
   * Creates a queue pair that is not connected, with its own completion queue.
   *
   * @throws IllegalStateException if the device refuses
   */
  NativeQueue createQueue(int requests, int inlineBytes);

  @Override
  void close();
}
