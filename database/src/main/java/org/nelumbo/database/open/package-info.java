/**
 * Opening and closing databases whose engines run in this process.
 *
 * <p>{@link org.nelumbo.database.open.DatabaseOpener} is the entry point. It opens a pool in the
 * memory of this process, in shared files, on memory nodes over TCP or RDMA, or on any other
 * fabric, such as the simulator's. {@link org.nelumbo.database.open.LocalDatabase} assembles the
 * parts of a database. {@link org.nelumbo.database.open.DatabaseHolder} outlives it where databases
 * are opened one after another under one name.
 *
 * <h2>Order of attaching</h2>
 *
 * <ol>
 *   <li>Open the fabric, which ensures that no other process has the pool.
 *   <li>Check the format and name of an existing pool and take the owner's epoch, or format a new
 *       pool.
 *   <li>Create the engine. Create the catalog, or read it and recover the pool.
 *   <li>Start the threads of the engine, and register the system views of the database.
 * </ol>
 *
 * <h2>Order of leaving</h2>
 *
 * <ol>
 *   <li>Abort the sessions.
 *   <li>Acquire the change lock, so that no schema change is in progress.
 *   <li>Close plan invalidator, schema changes and catalog.
 *   <li>Write the free space map, clear the owner's mark, and publish the address of the map last.
 * </ol>
 *
 * <p>If the owner fails on the way, the next attach recovers the pool. If the memory itself has
 * failed, {@code abandon} releases everything without touching it.
 */
package org.nelumbo.database.open;
