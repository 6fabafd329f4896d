/**
 * Statements, and the core of their connection: {@link org.nelumbo.jdbc.statement.ConnectionCore}
 * owns the session, the open statements and the network timeout.
 */
package org.nelumbo.jdbc.statement;
