/** The six transactions in SQL. */
package org.nelumbo.smallbank.jdbc;
