/** JDBC URLs of databases, their properties, and the pool locations in them. */
package org.nelumbo.jdbc.url;
