package org.nelumbo.simulation.workload;

import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.config.Settings;

/**
 * The size of a workload.
 *
 * @param isolation isolation level of read-write transactions
 * @param clients number of concurrent clients
 * @param keys number of rows that clients compete for
 * @param operations maximum number of operations of a transaction
 * @param readers number of clients that only read, under locks
 * @param crowd number of bits that the hashes of all keys share, where the workload chooses its
 *     keys
 * @param cuts probability that a transaction of a recorded workload reads a cut by a timestamp
 */
public record WorkloadOptions(
    Isolation isolation,
    int clients,
    int keys,
    int operations,
    int readers,
    int crowd,
    double cuts) {
  /** Reads the options from the settings of a scenario. */
  public static WorkloadOptions of(Settings settings) {
    return new WorkloadOptions(
        settings.choice("isolation", Isolation.class, Isolation.SERIALIZABLE),
        settings.integer("clients", 6),
        settings.integer("keys", 12),
        settings.integer("operations", 4),
        settings.integer("readers", 0),
        settings.integer("crowd", 0),
        settings.probability("cuts", 0));
  }
}
