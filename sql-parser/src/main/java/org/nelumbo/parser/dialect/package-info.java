/**
 * The dialect: reserved words, accepted deviations from the standard, and the writing of syntax
 * trees as text.
 *
 * <p>{@link org.nelumbo.parser.dialect.SqlText#of} writes a tree as text that parses to an equal
 * tree. {@link org.nelumbo.parser.dialect.Identifiers} determines which names need no quotes; a
 * test compares its list of reserved words with the grammar. {@link
 * org.nelumbo.parser.dialect.SqlSyntaxException} reports an invalid text. The syntax trees depend
 * on this package. Thread-safe.
 */
package org.nelumbo.parser.dialect;
