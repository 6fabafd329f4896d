/**
 * The databases that can be compared without further configuration, as data in {@code
 * peers.properties}, and the download of their drivers: {@link org.nelumbo.benchmark.peer.Peers}
 * lists them, {@link org.nelumbo.benchmark.peer.DriverDownload} downloads a driver through Maven.
 */
package org.nelumbo.benchmark.peer;
