/**
 * Files of a database: frames of the log, segments, row files, and {@link
 * org.nelumbo.dm.redo.file.DatabaseFiles}, which opens all of them and recovers them after a power
 * loss.
 */
package org.nelumbo.dm.redo.file;
