/** The seven transactions in SQL. */
package org.nelumbo.tatp.jdbc;
