/**
 * Types of SQL and their values: raw values ({@link org.nelumbo.types.Kind}), exact numbers, texts
 * of dates, times and intervals, and the parameters of a statement. Nothing here depends on the
 * engine, so that drivers can use it alone.
 */
package org.nelumbo.types;
