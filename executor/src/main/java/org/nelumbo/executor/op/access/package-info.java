/**
 * Operators that read tables: by one primary key, by several keys, by a range of an ordered index,
 * or as a whole.
 *
 * <p>Each operator fills one row of the frame with the image of its current row, and locks rows in
 * a fixed mode. {@link org.nelumbo.executor.op.access.KeyExpressions} converts expressions to key
 * bytes and decides which expressions can be a key; {@link org.nelumbo.executor.op.access.KeyRange}
 * computes {@code low <= key < high} from equalities and bounds. An operator keeps the scan or
 * batch object of its transaction from run to run.
 *
 * <p>All access operators except the full table scan expose their keys in advance ({@link
 * org.nelumbo.executor.op.core.PrefetchableAccess}).
 */
package org.nelumbo.executor.op.access;
