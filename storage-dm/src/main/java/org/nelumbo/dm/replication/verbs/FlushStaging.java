package org.nelumbo.dm.replication.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.replication.intent.IntentLayout;

/**
 * Staging buffer of a channel to logical nodes: the bytes of its user, results of atomic verbs at
 * each copy, and an intent.
 *
 * @param results where the bytes of the user end
 * @param intent where the results end
 */
record FlushStaging(MemorySegment whole, int results, int intent) {
  /** Allocates a buffer. */
  static FlushStaging allocate(int bytes, int copies) {
    int results = (bytes + 7) & -8;
    int intent = results + copies * ReplicatedFlush.ATOMICS_MAX * Long.BYTES;
    return new FlushStaging(
        Arena.ofAuto().allocate(intent + IntentLayout.RECORD_LENGTH, 64), results, intent);
  }
}
