/**
 * Whether what a database has is sound: CHECK compares the indexes of tables with their rows, both
 * ways, and the rows with the constraints, beside other work; findings are kept for whoever asks.
 */
package org.nelumbo.database.check;
