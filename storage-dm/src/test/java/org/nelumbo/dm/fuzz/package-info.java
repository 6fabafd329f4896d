/** Seeds and running times of fuzzers: {@link org.nelumbo.dm.fuzz.FuzzSeeds}. */
package org.nelumbo.dm.fuzz;
