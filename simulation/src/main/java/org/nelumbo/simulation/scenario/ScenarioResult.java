package org.nelumbo.simulation.scenario;

import org.nelumbo.simulation.fault.FaultCounts;
import org.nelumbo.simulation.world.SimulationFailure;

/**
 * The result of one run of a scenario.
 *
 * @param seed seed of the world
 * @param committed transactions of clients that committed
 * @param conflicts transactions that were aborted because of others
 * @param exhausted transactions that were aborted because the pool was full
 * @param lost transactions without effect because the pool was lost
 * @param unknown transactions that were becoming visible when the pool was lost
 * @param schemaChanges statements that changed the table definition
 * @param schemaRefusals such statements that were refused without effect
 * @param virtualNanos virtual time at the end of the run
 * @param steps events and thread switches
 * @param verbs posted verbs
 * @param flushes waits for verbs
 * @param lockWaits waits for a Java lock whose holder was itself waiting
 * @param hash hash of the event trace
 * @param faults injected faults
 * @param orphaned state left by stopped coordinators, empty if none stopped
 * @param failure cause of the failure, or null if the run passed
 */
public record ScenarioResult(
    long seed,
    long committed,
    long conflicts,
    long exhausted,
    long lost,
    long unknown,
    long schemaChanges,
    long schemaRefusals,
    long virtualNanos,
    long steps,
    long verbs,
    long flushes,
    int lockWaits,
    long hash,
    FaultCounts faults,
    String orphaned,
    Throwable failure) {
  /** Returns true if every check passed. */
  public boolean isOk() {
    return failure == null;
  }

  /**
   * Returns true if a thread outside of the world resumed a simulated thread, or no task could
   * continue. The cause may be the engine: then every run of the seed shows it. Or it is another
   * world in this process, which shares a lock or a cache of a library with this one: then only
   * this run shows it.
   */
  boolean isDisturbed() {
    return failure instanceof SimulationFailure f
        && (f.kind() == SimulationFailure.Kind.FOREIGN_THREAD
            || f.kind() == SimulationFailure.Kind.STALLED);
  }
}
