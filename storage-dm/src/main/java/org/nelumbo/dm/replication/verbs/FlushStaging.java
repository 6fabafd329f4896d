package org.nelumbo.dm.replication.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.replication.intent.IntentLayout;

/**
 * Staging buffer of a channel to logical nodes, with three parts: the bytes of the user, the
 * results of atomic verbs at each copy, and an intent record.
 *
 * @param results offset of the results, where the user's bytes end
 * @param intent offset of the intent record, where the results end
 */
record FlushStaging(MemorySegment whole, int results, int intent) {
  static FlushStaging allocate(int bytes, int copies) {
    int results = (bytes + 7) & -8;
    int intent = results + copies * ReplicatedFlush.ATOMICS_MAX * Long.BYTES;
    return new FlushStaging(
        Arena.ofAuto().allocate(intent + IntentLayout.RECORD_LENGTH, 64), results, intent);
  }
}
