/** The dialect for Spring Data JDBC, which finds it by the name of the database. */
package org.nelumbo.clients.springdata;
