/**
 * Checks of the database after the load and after a run: row counts, references, and a comparison
 * with the commits that the terminals counted.
 */
package org.nelumbo.tatp.check;
