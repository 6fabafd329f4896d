/**
 * Measures how long the failure of a compute node keeps the others from committing. Real processes
 * share a pool under load, one is killed with signal 9, and the others report the time until every
 * row was written again ({@link org.nelumbo.soak.death.DeathCommand}).
 */
package org.nelumbo.soak.death;
