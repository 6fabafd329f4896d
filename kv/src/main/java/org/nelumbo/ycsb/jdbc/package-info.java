/** YCSB's operations in SQL. */
package org.nelumbo.ycsb.jdbc;
