/**
 * Statements and the core of a connection, on which they run: {@link
 * org.nelumbo.jdbc.statement.ConnectionCore} has the session, the open statements and the network
 * timeout.
 */
package org.nelumbo.jdbc.statement;
