/**
 * A database inside a simulated world: the production engine, natively or below SQL, on the
 * simulated fabric; one table for workloads, the rows of it as a client sees them, and what must
 * hold when nothing is going on any more.
 */
package org.nelumbo.simulation.cluster;
