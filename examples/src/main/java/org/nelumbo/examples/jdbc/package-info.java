/** An example: Plain JDBC. */
package org.nelumbo.examples.jdbc;
