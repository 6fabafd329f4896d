package org.nelumbo.dm.fabric.local;

/** Memory of this process for a node that others reach through it. */
public final class LocalMemory {
  private LocalMemory() {}

  /**
   * Reserves zeroed memory that costs what is touched of it.
   *
   * @throws IllegalStateException if the system refuses; the message says why
   */
  public static NodeMemory reserve(long bytes) {
    return AnonymousMapping.reserve((bytes + 4095) & -4096);
  }
}
