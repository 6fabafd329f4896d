/**
 * Transactions on consecutive version tables: the lock-first protocol of LOTUS (section 5; {@code
 * docs/references.md}) with the stricter rules of {@code docs/architecture.md}, behind the native
 * API of LOTUS section 7.3. Entry types: {@link org.nelumbo.executor.engine.Engine}, {@link
 * org.nelumbo.executor.txn.Transaction}.
 */
package org.nelumbo.executor.txn;
