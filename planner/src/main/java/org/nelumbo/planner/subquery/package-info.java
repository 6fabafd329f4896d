/** Subqueries: rewriting in the relational tree, and planning of those that stay as operators. */
package org.nelumbo.planner.subquery;
