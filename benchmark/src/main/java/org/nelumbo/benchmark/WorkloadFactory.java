package org.nelumbo.benchmark;

import org.nelumbo.benchmark.database.Database;

/** Sets a benchmark up for a database. */
@FunctionalInterface
public interface WorkloadFactory {
  /** The workload on this database, with the options the factory holds. */
  Workload create(Database database);
}
