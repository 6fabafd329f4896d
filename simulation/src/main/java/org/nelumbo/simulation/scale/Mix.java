package org.nelumbo.simulation.scale;

import java.util.List;
import java.util.function.LongSupplier;
import org.nelumbo.simulation.world.SimRandom;

/**
 * A mix of transactions. The key of its tables is a home and an id. The home is the critical field,
 * which determines the shard of a row (LOTUS section 4.2).
 */
interface Mix {
  /** A table of the mix, with the length of its text column. */
  record Table(String name, int textLength, boolean hashed) {
    Table(String name, int textLength) {
      this(name, textLength, true);
    }
  }

  List<Table> tables();

  /** Returns the number of homes; they are spread over all shards. */
  int homes();

  /** Loads the rows of a home; the session has a transaction. */
  void load(MixSession session, long home) throws MixConflict;

  /**
   * Runs one transaction except for its commit; after a conflict the caller aborts it.
   *
   * @param homes draws a home for the transaction, or for another row of it
   * @param elsewhere draws any home
   * @return the type of the transaction
   */
  String transact(MixSession session, SimRandom random, LongSupplier homes, LongSupplier elsewhere)
      throws MixConflict;
}
