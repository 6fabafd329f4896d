/**
 * The five transactions, clauses 2.4 to 2.8, one class each, in plain JDBC, the same for every
 * database. {@link org.nelumbo.tpcc.jdbc.JdbcTerminals} puts them on a connection; their SQL is in
 * {@code statements.sql}. Everything here belongs to one terminal and its thread.
 */
package org.nelumbo.tpcc.jdbc;
