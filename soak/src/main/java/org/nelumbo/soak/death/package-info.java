/**
 * How long the death of a compute node keeps the others from committing: real processes share a
 * pool under load, one is killed with signal 9, and the others say how long it took until every row
 * was written again ({@link org.nelumbo.soak.death.DeathCommand}).
 */
package org.nelumbo.soak.death;
