/**
 * Tests of memory ordering ({@link org.nelumbo.dm.litmus.Litmus}: real threads, every outcome
 * named) and of the order of steps ({@link org.nelumbo.dm.litmus.Interleaving}: one thread, from a
 * seed).
 */
package org.nelumbo.dm.litmus;
