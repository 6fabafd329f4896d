/**
 * One-sided verbs on pool memory: {@link org.nelumbo.dm.pool.Fabric} opens {@link
 * org.nelumbo.dm.pool.Channel}s, which post READ, WRITE, CAS and FAA and flush them. Every fabric
 * passes the conformance kit. {@link org.nelumbo.dm.pool.CountingFabric} wraps any fabric and
 * counts verbs, bytes and round trips.
 */
package org.nelumbo.dm.pool;
