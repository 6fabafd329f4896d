/**
 * SQL text to syntax trees.
 *
 * <p>{@link org.nelumbo.parser.SqlParsing} is the entry: one statement, a script, or an expression.
 * What it cannot read it refuses with a {@link org.nelumbo.parser.dialect.SqlSyntaxException} that
 * names the place and what would have fitted there; the other classes here make these messages. All
 * methods may be called from any thread.
 *
 * <h2>The packages below, from the bottom up</h2>
 *
 * <ul>
 *   <li>{@code dialect}: which words are reserved, and how trees are written as text.
 *   <li>{@code ast}: syntax trees of the statements that Calcite does not have.
 *   <li>{@code impl}: the generated parser.
 * </ul>
 *
 * <p>The planner is the caller. Nothing here knows a catalogue: names and types are checked there.
 */
package org.nelumbo.parser;
