/**
 * Rows that do not fit into a statement's memory, in temporary files.
 *
 * <p>A {@link org.nelumbo.executor.op.spill.RowFile} is written from one end to the other, then
 * read in the same order. {@link org.nelumbo.executor.op.spill.SortedRuns} merges files of sorted
 * rows, {@link org.nelumbo.executor.op.spill.RowPartitions} deals rows out to files by a hash of
 * their keys, so that equal keys come into one file. Operators use them when a {@link
 * org.nelumbo.executor.limit.MemoryAccount} says no.
 *
 * <p>A file is in {@code java.io.tmpdir}, or where the system property {@code nelumbo.tempDir}
 * says. It has no name from the moment it is open, where the operating system allows that: nothing
 * is left behind, however the process ends. A full disk is 53100.
 */
package org.nelumbo.executor.op.spill;
