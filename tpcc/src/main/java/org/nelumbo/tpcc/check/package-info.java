/**
 * Consistency checks: the twelve conditions of clause 3.3.2, in {@code conditions.sql}, and a
 * comparison of the database with the commits that the terminals counted.
 */
package org.nelumbo.tpcc.check;
