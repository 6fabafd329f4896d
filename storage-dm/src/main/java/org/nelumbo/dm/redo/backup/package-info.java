/**
 * Backups: snapshots and logged rows in a separate directory, and the extraction of undamaged rows
 * from damaged files.
 */
package org.nelumbo.dm.redo.backup;
