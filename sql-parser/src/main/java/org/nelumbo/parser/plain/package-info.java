/**
 * Parses simple queries in one pass without lookahead into the same syntax trees as the generated
 * parser, several times as fast. All unsupported texts, including invalid ones, are left to the
 * generated parser. Internal: use {@link org.nelumbo.parser.SqlParsing}.
 */
package org.nelumbo.parser.plain;
