/**
 * Tables and indexes that are open on this compute node: what transactions work on.
 *
 * <p>{@link org.nelumbo.executor.table.TableStore} knows a table's schema, its hash index, its
 * ordered indexes, and how large its CVTs are; {@link org.nelumbo.executor.table.IndexStore} an
 * ordered index and the encoding of its keys. Neither reads or writes rows. Which tables there are
 * is for the catalogue to know. Thread-safe; a dropped one is marked, so that collectors keep off.
 */
package org.nelumbo.executor.table;
