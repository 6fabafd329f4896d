/**
 * Operators that read tables: by one primary key, by many, by a range of an ordered index, as a
 * whole.
 *
 * <p>Each fills one row of the frame with the image it stands on, and locks rows in the mode it was
 * made with. {@link org.nelumbo.executor.op.access.KeyExpressions} turns expressions into key bytes
 * and decides which expressions can be a key; {@link org.nelumbo.executor.op.access.KeyRange} makes
 * {@code low <= key < high} of equalities and bounds. An operator keeps the scan or batch object of
 * its transaction from run to run.
 *
 * <p>All of them but the full scan tell their keys in advance ({@link
 * org.nelumbo.executor.op.core.PrefetchableAccess}).
 */
package org.nelumbo.executor.op.access;
