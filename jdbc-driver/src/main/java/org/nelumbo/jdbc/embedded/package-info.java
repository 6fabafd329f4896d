/**
 * Databases that this process has opened: one for all connections with the same URL, from the first
 * connection to the last.
 */
package org.nelumbo.jdbc.embedded;
