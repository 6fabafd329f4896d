/**
 * Reads plain queries in one pass without looking ahead, several times as fast as the generated
 * parser does, into the same syntax trees. What is not plain is left to that parser, errors among
 * it. Internal: use {@link org.nelumbo.parser.SqlParsing}.
 */
package org.nelumbo.parser.plain;
