package org.nelumbo.dm.fabric.shm;

/**
 * How a process shares a pool in files.
 *
 * @param name of this process, for people
 * @param leaseNanos how long it may be silent before the others kill it
 * @param patienceNanos how long it waits to be let in
 */
public record SharingOptions(String name, long leaseNanos, long patienceNanos) {
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  /** A process that waits for ten seconds. */
  public static SharingOptions of(String name, long leaseNanos) {
    return new SharingOptions(name, leaseNanos, PATIENCE_NANOS);
  }
}
