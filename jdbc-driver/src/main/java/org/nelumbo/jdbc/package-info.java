/**
 * The JDBC driver: a thin {@code java.sql} layer on {@link org.nelumbo.planner.Session}. Entry
 * type: {@link org.nelumbo.jdbc.NelumboDriver}, found through the service loader.
 */
package org.nelumbo.jdbc;
