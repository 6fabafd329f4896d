/**
 * The generated parser and what must sit beside it.
 *
 * <p>{@code NelumboParser} and its companions are made by the build from the grammar template of
 * Calcite and the productions in {@code src/main/codegen}. Internal: use {@link
 * org.nelumbo.parser.SqlParsing}.
 */
package org.nelumbo.parser.impl;
