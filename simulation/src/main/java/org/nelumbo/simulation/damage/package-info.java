/**
 * Rows that are damaged in the pool, while a compute node works with it and while none has it:
 * undamaged data stays usable ({@link org.nelumbo.simulation.damage.DamageRun}).
 */
package org.nelumbo.simulation.damage;
