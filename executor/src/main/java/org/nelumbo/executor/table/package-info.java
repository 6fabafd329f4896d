/**
 * Tables and indexes that are open on this compute node, for use by transactions.
 *
 * <p>{@link org.nelumbo.executor.table.TableStore} holds a table's schema, its hash index, its
 * ordered indexes, and the sizes of its CVTs; {@link org.nelumbo.executor.table.IndexStore} holds
 * an ordered index and the encoding of its keys. Neither reads or writes rows. The catalogue holds
 * the list of tables. Thread-safe; a dropped table or index is marked, so that collectors do not
 * touch it.
 */
package org.nelumbo.executor.table;
