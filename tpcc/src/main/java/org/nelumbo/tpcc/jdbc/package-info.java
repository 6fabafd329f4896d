/**
 * The five transactions, clauses 2.4 to 2.8, one class each, in plain JDBC and the same for every
 * database. {@link org.nelumbo.tpcc.jdbc.JdbcTerminals} creates them on a connection; their SQL is
 * in {@code statements.sql}. Everything in this package belongs to one terminal and its thread.
 */
package org.nelumbo.tpcc.jdbc;
