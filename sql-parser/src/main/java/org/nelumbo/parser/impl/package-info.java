/**
 * The generated parser and its companions.
 *
 * <p>The build generates {@code NelumboParser} and related classes from Calcite's grammar template
 * and the productions in {@code src/main/codegen}. Internal: use {@link
 * org.nelumbo.parser.SqlParsing}.
 */
package org.nelumbo.parser.impl;
