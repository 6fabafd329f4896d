/**
 * Files of a database: frames of the log, segments, row files, and {@link
 * org.nelumbo.dm.redo.file.DatabaseFiles}, which opens all of them and recovers what a power loss
 * left.
 */
package org.nelumbo.dm.redo.file;
