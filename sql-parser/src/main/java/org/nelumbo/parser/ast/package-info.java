/**
 * Syntax trees of the statements that Calcite does not have.
 *
 * <p>One class a statement or clause, immutable, each able to write itself as SQL that parses to an
 * equal tree. They hold everything the text said; whether the engine supports it is the planner's
 * decision. Queries and plain data changes are Calcite's own nodes.
 */
package org.nelumbo.parser.ast;
