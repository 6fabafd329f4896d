/**
 * A connection to a database, as drivers and programs use it. {@link
 * org.nelumbo.session.Session#prepare} turns a text into a {@link
 * org.nelumbo.session.PreparedStatementPlan}; {@link org.nelumbo.session.Session#newExecution}
 * returns a {@link org.nelumbo.session.StatementExecution}, which takes parameters and returns
 * {@link org.nelumbo.session.Rows} or a count.
 *
 * <p>The planner implements these interfaces in the process that has opened the database.
 */
package org.nelumbo.session;
