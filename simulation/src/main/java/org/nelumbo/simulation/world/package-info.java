/**
 * The deterministic world: virtual time, a seeded scheduler of simulated threads, and the {@link
 * org.nelumbo.dm.env.Environment} of each simulated node. {@link
 * org.nelumbo.simulation.world.SimWorld} is the entry point.
 *
 * <p>A world belongs to the platform thread that created it, its carrier. A simulated thread is a
 * {@link org.nelumbo.simulation.world.SimTask}: a virtual thread, each step of which runs on the
 * carrier. The scheduler runs one of the runnable tasks, drawn from the seed. If no task is
 * runnable, it fires the next {@link org.nelumbo.simulation.world.SimEvent} in the order of virtual
 * time and a seeded tie-break. Code takes no virtual time except while it waits.
 *
 * <p><b>Invariants.</b> A seed determines the run: the order of tasks and events, and every random
 * number, are drawn from named streams of the seed ({@link
 * org.nelumbo.simulation.world.SimRandom}). There is no static state, so several worlds may run
 * side by side in one JVM. A thread outside of the world that resumes a simulated thread ends the
 * run, since the run could not be replayed.
 */
package org.nelumbo.simulation.world;
