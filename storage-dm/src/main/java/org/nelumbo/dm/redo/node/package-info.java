/**
 * The log that a memory node keeps: receiving rows, compacting them into row files, and comparing,
 * copying and replacing the logs of several nodes so that all have the same commits.
 */
package org.nelumbo.dm.redo.node;
