/**
 * Databases in files whose power is lost: a disk that keeps what was forced and some of the rest
 * ({@link org.nelumbo.simulation.disk.SimDisk}), and runs in which the power goes at any write
 * ({@link org.nelumbo.simulation.disk.PowerLossRun}). What clients have done before and after is
 * one history.
 */
package org.nelumbo.simulation.disk;
