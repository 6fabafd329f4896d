/**
 * A generator of SQL statements, and checks of their results. From a seed it generates tables,
 * rows, queries, changes and DDL, including statements that fail. It runs them through JDBC and
 * needs no other part of Nelumbo.
 *
 * <p>{@link org.nelumbo.sqlgen.SqlGeneratorCommand} runs {@link org.nelumbo.sqlgen.Round}s. In
 * each, {@link org.nelumbo.sqlgen.TableMaker}, {@link org.nelumbo.sqlgen.QueryMaker} and {@link
 * org.nelumbo.sqlgen.ChangeMaker} generate {@link org.nelumbo.sqlgen.GeneratedStatement}s. The
 * checks:
 *
 * <ul>
 *   <li>{@link org.nelumbo.sqlgen.OutcomeComparison}: other databases have the same rows, and
 *       errors of the same class.
 *   <li>{@link org.nelumbo.sqlgen.ScenarioChecks}: PostgreSQL has the same rows in scenarios whose
 *       results depend on the order of nested queries, on the digits of numbers, or on the time at
 *       which constraints are checked.
 *   <li>{@link org.nelumbo.sqlgen.SelfChecks}: the rows where a condition is true, false and
 *       unknown are all rows (TLP); a count equals the sum of the condition over all rows (NoREC);
 *       a row for which a condition is true is selected by it (PQS).
 *   <li>{@link org.nelumbo.sqlgen.DatabaseSession}: only {@code SQLException}s are thrown, none is
 *       an internal error, and a cancelled statement ends.
 * </ul>
 */
package org.nelumbo.sqlgen;
