package org.nelumbo.simulation.workload;

import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.config.Settings;

/**
 * The size of a workload.
 *
 * @param isolation of read-write transactions
 * @param clients how many at a time
 * @param keys how many rows they meet on
 * @param operations of a transaction, at most
 * @param readers clients that only read, under locks
 * @param crowd bits that the hashes of all keys share, where the workload chooses its keys
 */
public record WorkloadOptions(
    Isolation isolation, int clients, int keys, int operations, int readers, int crowd) {
  /** What a scenario says. */
  public static WorkloadOptions of(Settings settings) {
    return new WorkloadOptions(
        settings.choice("isolation", Isolation.class, Isolation.SERIALIZABLE),
        settings.integer("clients", 6),
        settings.integer("keys", 12),
        settings.integer("operations", 4),
        settings.integer("readers", 0),
        settings.integer("crowd", 0));
  }
}
