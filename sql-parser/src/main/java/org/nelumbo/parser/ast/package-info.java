/**
 * Syntax trees of the statements that Calcite does not have.
 *
 * <p>There is one class per statement or clause. Each is immutable and can write itself as SQL that
 * parses to an equal tree. A node contains everything in the text; the planner decides whether the
 * engine supports it. Queries and simple changes of rows are Calcite's own nodes.
 */
package org.nelumbo.parser.ast;
