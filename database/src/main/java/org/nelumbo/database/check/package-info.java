/**
 * Integrity checks: CHECK compares the indexes of tables with their rows in both directions, and
 * the rows with the constraints, concurrently with other work. The defect reports are kept for
 * later queries.
 */
package org.nelumbo.database.check;
