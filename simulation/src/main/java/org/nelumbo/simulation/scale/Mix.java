package org.nelumbo.simulation.scale;

import java.util.List;
import java.util.function.LongSupplier;
import org.nelumbo.simulation.world.SimRandom;

/**
 * A mix of transactions. Its rows are in tables whose keys are a home and an id; the home is the
 * critical field, which says what shard a row is in (LOTUS section 4.2).
 */
interface Mix {
  /** A table of the mix; its text is that long. */
  record Table(String name, int textLength) {}

  List<Table> tables();

  /** How many homes there are; they are spread over all shards. */
  int homes();

  /** Loads the rows of a home; the session has a transaction. */
  void load(MixSession session, long home) throws MixConflict;

  /**
   * Runs one transaction, but for its commit; conflicts leave it to be aborted.
   *
   * @param homes draws a home for it, or for another row of it
   * @param elsewhere draws any home
   * @return its type
   */
  String transact(MixSession session, SimRandom random, LongSupplier homes, LongSupplier elsewhere)
      throws MixConflict;
}
