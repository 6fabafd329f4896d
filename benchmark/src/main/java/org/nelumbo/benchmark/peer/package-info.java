/**
 * The databases to compare with out of the box, as data in {@code peers.properties}, and how to
 * come by their drivers: {@link org.nelumbo.benchmark.peer.Peers} lists them, {@link
 * org.nelumbo.benchmark.peer.DriverDownload} fetches a driver through Maven.
 */
package org.nelumbo.benchmark.peer;
