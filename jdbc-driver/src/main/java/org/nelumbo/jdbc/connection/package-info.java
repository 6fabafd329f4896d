/** The connection: it makes statements, keeps settings, and ends transactions. */
package org.nelumbo.jdbc.connection;
