/**
 * A generator of SQL statements, and the checks of what a database answers. From a seed it makes
 * tables, rows, queries, changes and DDL, with errors in them. It runs them through JDBC and needs
 * no other part of Nelumbo.
 *
 * <p>{@link org.nelumbo.sqlgen.SqlGeneratorCommand} runs {@link org.nelumbo.sqlgen.Round}s. In
 * each, {@link org.nelumbo.sqlgen.TableMaker}, {@link org.nelumbo.sqlgen.QueryMaker} and {@link
 * org.nelumbo.sqlgen.ChangeMaker} write {@link org.nelumbo.sqlgen.GeneratedStatement}s. The checks:
 *
 * <ul>
 *   <li>{@link org.nelumbo.sqlgen.OutcomeComparison}: other databases have the same rows, and
 *       errors of the same class.
 *   <li>{@link org.nelumbo.sqlgen.ScenarioChecks}: PostgreSQL has the same rows in scenarios whose
 *       results depend on the order of queries within queries, on the digits of numbers, or on when
 *       constraints are checked.
 *   <li>{@link org.nelumbo.sqlgen.SelfChecks}: the parts of a query where a condition is true,
 *       false and unknown are the whole (TLP); a count is the sum over all rows of the condition
 *       (NoREC); a row that a condition is true of is found by it (PQS).
 *   <li>{@link org.nelumbo.sqlgen.DatabaseSession}: nothing but {@code SQLException} is thrown,
 *       none is an internal error, and a cancelled statement ends.
 * </ul>
 */
package org.nelumbo.sqlgen;
