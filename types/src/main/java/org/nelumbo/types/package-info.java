/**
 * SQL types and their values: raw values ({@link org.nelumbo.types.Kind}), exact numbers, the text
 * forms of dates, times and intervals, and the parameters of a statement. The package does not
 * depend on the engine, so drivers can use it alone.
 */
package org.nelumbo.types;
