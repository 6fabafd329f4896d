/**
 * Crash points of real runs: the file operations of a database are recorded. Each prefix of them is
 * turned into files again, as a loss of power might have left them, and opened.
 */
package org.nelumbo.soak.crash;
