package org.nelumbo.dm.fabric.local;

/** Reserves memory of this process for a node that other processes access through it. */
public final class LocalMemory {
  private LocalMemory() {}

  /**
   * Reserves zeroed memory whose pages are allocated at the first touch.
   *
   * @throws IllegalStateException if the system refuses; the message contains the reason
   */
  public static NodeMemory reserve(long bytes) {
    return AnonymousMapping.reserve((bytes + 4095) & -4096);
  }
}
