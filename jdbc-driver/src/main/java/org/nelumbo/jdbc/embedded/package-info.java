/**
 * Databases that this process has opened: one for all connections with the same URL, from the first
 * connection until {@code SHUTDOWN} or the end of the JVM.
 */
package org.nelumbo.jdbc.embedded;
