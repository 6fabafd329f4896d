/**
 * Rows that are damaged in the pool, while a compute node works with it and while none has it: what
 * is not damaged goes on ({@link org.nelumbo.simulation.damage.DamageRun}).
 */
package org.nelumbo.simulation.damage;
