/**
 * Parts that the hash index and the ordered index share: {@link org.nelumbo.dm.index.LeafGuard}, by
 * which a transaction locks leaves while it scans and inserts, a list of longs, and {@link
 * org.nelumbo.dm.index.CircleCheck} for walks over what may be damaged. The indexes are in {@code
 * index.hash} and {@code index.tree}, which do not know each other.
 */
package org.nelumbo.dm.index;
