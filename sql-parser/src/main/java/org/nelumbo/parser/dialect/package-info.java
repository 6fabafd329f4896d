/**
 * The dialect: which words are reserved, which deviations from the standard are accepted, and how
 * syntax trees are written as text.
 *
 * <p>{@link org.nelumbo.parser.dialect.SqlText#of} writes a tree as text that parses to an equal
 * tree. {@link org.nelumbo.parser.dialect.Identifiers} tells names that need no quotes; its list of
 * reserved words is compared with the grammar by a test. {@link
 * org.nelumbo.parser.dialect.SqlSyntaxException} is the refusal of a text. Below the syntax trees,
 * which use all of it; thread-safe.
 */
package org.nelumbo.parser.dialect;
