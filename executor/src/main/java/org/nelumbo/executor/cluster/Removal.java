package org.nelumbo.executor.cluster;

import org.nelumbo.dm.peer.PeerId;

/**
 * How far the removal of a compute node has come, that was fenced or has left.
 *
 * @param id of the compute node
 * @param by the member that recovers what it has left; itself if there is nothing
 * @param removed version of the configuration that is the first without it
 * @param recovered version in which its transactions were decided, and its locks may be released;
 *     0: they are not
 * @param isRepaired whether nothing of it is left in the indexes, and its entry is free
 */
record Removal(PeerId id, PeerId by, long removed, long recovered, boolean isRepaired) {
  /** The next step of it. */
  Removal with(PeerId newBy, long newRecovered, boolean repaired) {
    return new Removal(id, newBy, removed, newRecovered, repaired);
  }

  boolean isRecovered() {
    return recovered != 0;
  }
}
