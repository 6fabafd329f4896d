package org.nelumbo.executor.cluster;

import org.nelumbo.dm.peer.PeerId;

/**
 * Progress of the removal of a compute node that was fenced or has left.
 *
 * @param id identity of the removed compute node
 * @param by member that recovers it; itself if there is nothing to recover
 * @param removed first version of the configuration without it
 * @param recovered version in which its transactions are decided and its locks may be released; 0
 *     if they are not decided
 * @param isRepaired true if the indexes are repaired and its entry is free
 */
record Removal(PeerId id, PeerId by, long removed, long recovered, boolean isRepaired) {
  /** Returns this removal with further progress. */
  Removal with(PeerId newBy, long newRecovered, boolean repaired) {
    return new Removal(id, newBy, removed, newRecovered, repaired);
  }

  boolean isRecovered() {
    return recovered != 0;
  }
}
