/**
 * Messages between compute nodes. A {@link org.nelumbo.dm.peer.PeerNetwork} carries them with few
 * guarantees: a message may be lost, duplicated, delayed or reordered. A sender repeats a message
 * until it receives a reply, and a receiver detects duplicates.
 */
package org.nelumbo.dm.peer;
