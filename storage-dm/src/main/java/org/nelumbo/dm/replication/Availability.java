package org.nelumbo.dm.replication;

/** When work on a replicated pool goes on although memory nodes are missing. */
public enum Availability {
  /**
   * As long as a majority of the memory nodes and witnesses answers: they agree on who is left. So
   * two compute nodes never go on apart from each other.
   */
  MAJORITY,
  /**
   * As long as there is a copy of everything. If the network falls apart, two compute nodes may go
   * on apart from each other, and the commits of one of them are lost.
   */
  LAST_COPY
}
