/**
 * Opening and closing databases whose engines run in this process.
 *
 * <p>{@link org.nelumbo.database.open.DatabaseOpener} is the entry: a pool in this process's
 * memory, in shared files, on memory nodes over TCP, or on any fabric (the simulator's, say).
 * {@link org.nelumbo.database.open.LocalDatabase} puts the parts of a database together. {@link
 * org.nelumbo.database.open.DatabaseHolder} outlives it where databases are opened one after the
 * other under one name.
 *
 * <h2>Order of attaching</h2>
 *
 * <ol>
 *   <li>The fabric is opened, which sees to it that nobody else has the pool.
 *   <li>A pool that is there is checked (format, name); the owner's epoch is drawn; an unformatted
 *       one is formatted.
 *   <li>The engine is made; the catalogue is created, or read and the pool recovered.
 *   <li>The engine starts its threads; the database registers the system views.
 * </ol>
 *
 * <h2>Order of leaving</h2>
 *
 * Sessions are aborted; the change lock is taken, so that no schema change is in progress; plan
 * invalidator, schema changes and catalogue are closed; the free space is written, the owner's mark
 * is cleared, and the address of the free space is published last. An owner that dies on the way
 * leaves a pool that is recovered. If the memory itself has failed, {@code abandon} lets go of
 * everything without touching it.
 */
package org.nelumbo.database.open;
