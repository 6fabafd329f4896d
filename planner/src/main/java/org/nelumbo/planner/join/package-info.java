/**
 * Joins: order of inner joins, conditions, and the choice between hash, merge and index joins by
 * cost.
 */
package org.nelumbo.planner.join;
