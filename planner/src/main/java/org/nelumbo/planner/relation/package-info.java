/**
 * Planned relations: an operator with the estimated rows, the order of its rows and its columns,
 * and the cost model.
 */
package org.nelumbo.planner.relation;
