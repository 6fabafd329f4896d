/**
 * The session interface for drivers and programs. {@link org.nelumbo.session.Session#prepare} turns
 * a text into a {@link org.nelumbo.session.PreparedStatementPlan}; {@link
 * org.nelumbo.session.Session#newExecution} returns a {@link
 * org.nelumbo.session.StatementExecution}, which takes parameters and returns {@link
 * org.nelumbo.session.Rows} or an update count.
 *
 * <p>The module {@code database} implements these interfaces in the process that has opened the
 * database.
 */
package org.nelumbo.session;
