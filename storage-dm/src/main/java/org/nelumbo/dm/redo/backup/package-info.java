/**
 * Backups: snapshots and logged rows in a directory of their own, and what is sound of damaged
 * files.
 */
package org.nelumbo.dm.redo.backup;
