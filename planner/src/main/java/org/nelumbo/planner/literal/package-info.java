/**
 * Literals of statements. {@link org.nelumbo.planner.literal.LiteralLifting} replaces them by
 * parameters, so that statements that differ only in literals share a plan.
 */
package org.nelumbo.planner.literal;
