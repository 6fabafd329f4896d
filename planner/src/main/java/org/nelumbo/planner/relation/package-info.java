/**
 * Planned relations: an operator with its columns, the estimated rows and their order; and the cost
 * model.
 */
package org.nelumbo.planner.relation;
