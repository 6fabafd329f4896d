package org.nelumbo.dm.fabric.rdma;

/**
 * What belongs together at an open device: memory that is registered, and queue pairs whose
 * requests may name it. Thread-safe. Closed after all that was made with it.
 */
public interface ProtectionDomain extends AutoCloseable {
  /** Makes the domain of a device. */
  interface Factory {
    /**
     * Makes a domain.
     *
     * @param context the open device, {@code ibv_context}, which stays open as long as the domain
     * @param gid the address of the device's port that is used
     * @throws IllegalStateException if the device makes none
     */
    ProtectionDomain open(long context, GidEntry gid);
  }

  /**
   * Registers memory, which stays where it is until the region is closed.
   *
   * @param access rights, {@code ibv_access_flags}
   * @throws IllegalStateException if the device does not do it
   */
  MemoryRegion register(long address, long bytes, int access);

  /**
   * Makes a queue pair that is not connected, with a queue of completions of its own.
   *
   * @throws IllegalStateException if the device makes none
   */
  NativeQueue createQueue(int requests, int inlineBytes);

  @Override
  void close();
}
