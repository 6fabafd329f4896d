/**
 * Databases in files: how one is made anew in memory from its files, and how checkpoints are
 * written while it is open.
 *
 * <p>{@link org.nelumbo.planner.durable.ColdStart} reads the catalogue first, makes the stores, and
 * has threads load the rows, each those of some keys; indexes are built from the rows. {@link
 * org.nelumbo.planner.durable.Checkpoints} copies all rows into a new file in the background, a few
 * at a time, and gives up the log before that.
 *
 * <p>What is in the files, and why that is enough, is on {@code docs/internals/durability.md}.
 */
package org.nelumbo.planner.durable;
