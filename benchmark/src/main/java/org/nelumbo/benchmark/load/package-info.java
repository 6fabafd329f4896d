/** Filling tables: inserts in batches, several parts at a time. */
package org.nelumbo.benchmark.load;
