/**
 * Literals of statements. {@link org.nelumbo.planner.literal.LiteralParameterization} replaces them
 * by parameters, so that statements that differ only in literals share a plan.
 */
package org.nelumbo.planner.literal;
