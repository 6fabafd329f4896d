/**
 * The seven transactions in SQL, the same for every database; the texts are in {@code
 * statements.sql}. Each class prepares its statements once for a terminal and belongs to the
 * terminal's thread.
 */
package org.nelumbo.tatp.jdbc;
