package org.nelumbo.dm.replication.intent;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.NodeHeader;

/** The progress of the compute nodes of a shared pool, as a memory node knows it. */
public final class ViewProgress {
  private ViewProgress() {}

  /**
   * Returns true if every compute node has reached the latest view that was written to the node. A
   * compute node is about to use a view when it has reached it.
   *
   * @param channel channel to the memory node, with a staging buffer for the first page
   */
  public static boolean isReached(Channel channel) {
    NodeHeader header = NodeHeader.read(channel);
    if (!header.isReplicated() || header.view() == null) {
      return true;
    }
    long[] table =
        channel
            .staging()
            .asSlice(NodeHeaderLayout.INTENTS_OFFSET, NodeHeaderLayout.INTENTS_LENGTH)
            .toArray(ValueLayout.JAVA_LONG);
    for (int entry = 0; entry < table.length; entry += IntentLayout.ENTRY_LENGTH / Long.BYTES) {
      long tenant = table[entry];
      long block = table[entry + 1];
      if (tenant != 0 && block != 0) {
        channel.read(PoolAddress.of(0, block + IntentLayout.REPEATED_OFFSET), 0, Long.BYTES);
        channel.flush();
        if (channel.staging().get(ValueLayout.JAVA_LONG, 0) < header.view().number()) {
          return false;
        }
      }
    }
    return true;
  }
}
