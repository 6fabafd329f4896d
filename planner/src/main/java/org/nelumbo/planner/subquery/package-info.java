/** Subqueries: rewriting in the relational tree, and planning of those that become operators. */
package org.nelumbo.planner.subquery;
