package org.nelumbo.dm.fabric.rdma;

/** Memory that is registered with a device: it is not moved, and the device may use it. */
public final class MemoryRegion implements AutoCloseable {
  /** In {@code ibv_mr}. */
  static final int LOCAL_KEY_OFFSET = 36;

  static final int REMOTE_KEY_OFFSET = 40;

  private final VerbsLibrary library;
  private final long region;

  MemoryRegion(VerbsLibrary library, long region) {
    this.library = library;
    this.region = region;
  }

  /** By which requests of this side name it. */
  public int localKey() {
    return NativeMemory.getInt(region + LOCAL_KEY_OFFSET);
  }

  /** By which requests of the other side name it. */
  public int remoteKey() {
    return NativeMemory.getInt(region + REMOTE_KEY_OFFSET);
  }

  @Override
  public void close() {
    library.deregister(region);
  }
}
