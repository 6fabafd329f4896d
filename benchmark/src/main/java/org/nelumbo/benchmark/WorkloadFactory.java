package org.nelumbo.benchmark;

import org.nelumbo.benchmark.database.Database;

/** Creates the workload of a benchmark for a database. */
@FunctionalInterface
public interface WorkloadFactory {
  /** Creates the workload on this database, with the options that the factory holds. */
  Workload create(Database database);
}
