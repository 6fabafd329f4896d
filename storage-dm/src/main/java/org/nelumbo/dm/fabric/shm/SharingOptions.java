package org.nelumbo.dm.fabric.shm;

/**
 * Options of a process that shares a pool in files.
 *
 * @param name name of this process for messages
 * @param leaseNanos time without heartbeats after which the others kill this process
 * @param patienceNanos longest wait for admission
 */
public record SharingOptions(String name, long leaseNanos, long patienceNanos) {
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  /** Returns options with a patience of ten seconds. */
  public static SharingOptions of(String name, long leaseNanos) {
    return new SharingOptions(name, leaseNanos, PATIENCE_NANOS);
  }
}
