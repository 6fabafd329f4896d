/**
 * The deterministic world: virtual time, a seeded scheduler that runs simulated threads one at a
 * time on one carrier, and the {@link org.nelumbo.dm.env.Environment} of each simulated node. Begin
 * with {@link org.nelumbo.simulation.world.SimWorld}. One seed, one run; no statics, so several
 * worlds may run side by side in one JVM, each on a carrier thread of its own.
 */
package org.nelumbo.simulation.world;
