/** How long fuzzers run, and with which seeds: {@link org.nelumbo.dm.fuzz.FuzzSeeds}. */
package org.nelumbo.dm.fuzz;
