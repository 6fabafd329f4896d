/**
 * Databases in files that lose power: a disk that keeps forced writes and some of the others
 * ({@link org.nelumbo.simulation.disk.SimDisk}), and runs in which power is lost at any write
 * ({@link org.nelumbo.simulation.disk.PowerLossRun}). All actions of clients before and after form
 * one history.
 */
package org.nelumbo.simulation.disk;
