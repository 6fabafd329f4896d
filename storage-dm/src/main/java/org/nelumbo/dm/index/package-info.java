/**
 * Parts that the hash index and the ordered index share: {@link org.nelumbo.dm.index.LeafGuard}, by
 * which a transaction locks leaves while it scans and inserts, the owners of latches, and a list of
 * longs. The indexes are in {@code index.hash} and {@code index.tree}, which do not depend on each
 * other.
 */
package org.nelumbo.dm.index;
