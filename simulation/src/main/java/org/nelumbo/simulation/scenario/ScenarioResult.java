package org.nelumbo.simulation.scenario;

import org.nelumbo.simulation.fault.FaultCounts;
import org.nelumbo.simulation.world.SimulationFailure;

/**
 * The result of one run of a scenario.
 *
 * @param seed of the world
 * @param committed transactions of clients
 * @param conflicts transactions that were aborted because of others
 * @param exhausted transactions that were aborted because the pool was full
 * @param lost transactions that did not happen because the pool was lost
 * @param unknown transactions that were becoming visible when the pool was lost
 * @param schemaChanges statements that changed the form of the table
 * @param schemaRefusals those that were refused, and changed nothing
 * @param virtualNanos virtual time when the run ended
 * @param steps events and switches of threads
 * @param verbs posted
 * @param flushes that waited for verbs
 * @param lockWaits waits for a Java lock whose holder waited for something itself
 * @param hash of the event trace
 * @param faults injected
 * @param orphaned what stopped coordinators left, empty if none stopped
 * @param failure what went wrong, null if nothing did
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
  /** Whether everything that must hold did. */
  public boolean isOk() {
    return failure == null;
  }

  /**
   * Whether a thread outside of the world resumed one of it, or nobody could go on: the engine's
   * fault, which then shows in every run of the seed; or that of another world in this process,
   * which met it at a lock or a cache of a library that both use, and then of this run alone.
   */
  boolean isDisturbed() {
    return failure instanceof SimulationFailure f
        && (f.kind() == SimulationFailure.Kind.FOREIGN_THREAD
            || f.kind() == SimulationFailure.Kind.STALLED);
  }
}
