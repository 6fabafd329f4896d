/**
 * The deterministic world: virtual time, a seeded scheduler of simulated threads, and the {@link
 * org.nelumbo.dm.env.Environment} of each simulated node. {@link
 * org.nelumbo.simulation.world.SimWorld} is the entry.
 *
 * <p>A world belongs to the platform thread that made it, its carrier. A simulated thread is a
 * {@link org.nelumbo.simulation.world.SimTask}: a virtual thread whose every step runs on the
 * carrier. The scheduler takes one of the runnable tasks, drawn from the seed; when there is none,
 * it fires the next {@link org.nelumbo.simulation.world.SimEvent} in the order of virtual time and
 * a seeded tie-break. Code takes no virtual time but for what it waits.
 *
 * <p><b>Invariants.</b> One seed, one run: the order of tasks and events, and every random number,
 * come from named streams of the seed ({@link org.nelumbo.simulation.world.SimRandom}). No statics,
 * so several worlds may run side by side in one JVM. Whoever resumes a simulated thread from
 * outside ends the run, since it could not be replayed.
 */
package org.nelumbo.simulation.world;
