/**
 * Temporary files for rows that do not fit into a statement's memory.
 *
 * <p>A {@link org.nelumbo.executor.op.spill.RowFile} is written sequentially, then read in the same
 * order. {@link org.nelumbo.executor.op.spill.SortedRuns} merges files of sorted rows; {@link
 * org.nelumbo.executor.op.spill.RowPartitions} partitions rows by a hash of their keys, so that
 * equal keys are in one file. Operators use them when a {@link
 * org.nelumbo.executor.limit.MemoryAccount} refuses a reservation.
 *
 * <p>Files are created in {@code java.io.tmpdir}, or in the directory of the system property {@code
 * nelumbo.tempDir}. If the operating system permits it, a file has no name once it is open, so
 * nothing is left behind, however the process ends. A full disk fails with 53100.
 */
package org.nelumbo.executor.op.spill;
