/**
 * Who may read, write or add to what on this compute node: {@link
 * org.nelumbo.executor.lock.LockTable}. Used by the transaction layer only; which locks a
 * transaction holds is kept in its coordinator.
 */
package org.nelumbo.executor.lock;
