/** The timestamp service, and which snapshots are in use. */
package org.nelumbo.executor.timestamp;
