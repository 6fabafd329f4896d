/**
 * SQL text to syntax trees.
 *
 * <p>{@link org.nelumbo.parser.SqlParsing} is the entry point. It parses one statement, a script,
 * or an expression. A text that it cannot parse is rejected with a {@link
 * org.nelumbo.parser.dialect.SqlSyntaxException}, which contains the position and the expected
 * tokens; the other classes of this package create these messages. All methods may be called from
 * any thread.
 *
 * <h2>The packages below, from the bottom up</h2>
 *
 * <ul>
 *   <li>{@code dialect}: reserved words, and the writing of trees as text.
 *   <li>{@code ast}: syntax trees of the statements that Calcite does not have.
 *   <li>{@code impl}: the generated parser.
 *   <li>{@code plain}: a fast parser for simple queries.
 * </ul>
 *
 * <p>The planner calls this package. Nothing here uses a catalog: the planner checks names and
 * types.
 */
package org.nelumbo.parser;
