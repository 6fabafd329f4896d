/** JDBC URLs of databases, their properties, and the pools that they name. */
package org.nelumbo.jdbc.url;
