/**
 * Filling tables: {@link org.nelumbo.benchmark.load.ParallelLoad} runs parts of a load on several
 * connections at a time. {@link org.nelumbo.benchmark.load.BatchInsert} inserts the rows of one
 * part in JDBC batches and reports them to a {@link org.nelumbo.benchmark.LoadProgress}.
 */
package org.nelumbo.benchmark.load;
