/**
 * Crash points of real runs: what a database does to its files is recorded, and each prefix of that
 * is made into files again, as a loss of power might have left them, and opened.
 */
package org.nelumbo.soak.crash;
