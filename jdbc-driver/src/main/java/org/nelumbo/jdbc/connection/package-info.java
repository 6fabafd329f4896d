/** The connection: it creates statements, keeps settings, and ends transactions. */
package org.nelumbo.jdbc.connection;
