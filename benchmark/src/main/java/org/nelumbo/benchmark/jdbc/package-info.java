/** Terminals that speak JDBC: statement texts for each product, prepared once for a terminal. */
package org.nelumbo.benchmark.jdbc;
