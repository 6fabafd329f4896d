package org.nelumbo.dm.index;

import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.rdma.DeviceNodes;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.superblock.PoolFormat;

/** A formatted pool with a clock, and the channel and the allocator of one coordinator. */
public abstract class IndexPool implements AutoCloseable {
  public static final int STAGING = 64 << 10;

  public final Environment environment = new SystemEnvironment();
  public final AtomicLong clock = new AtomicLong(1);

  /** Horizon; memory retired at or after it is not reused. */
  public final AtomicLong horizon = new AtomicLong(0);

  public final CountingFabric fabric;
  public final ChunkPool chunks;
  public final CountingChannel channel;
  public final TrackingAllocator allocator;

  protected IndexPool(int nodes, long nodeBytes) {
    fabric = new CountingFabric(DeviceNodes.pool(nodes, nodeBytes));
    PoolFormat.format(fabric, 1);
    chunks = new ChunkPool(fabric, horizon::get);
    channel = fabric.openChannel(STAGING);
    allocator = new TrackingAllocator(chunks.newAllocator(channel));
  }

  @Override
  public void close() {
    allocator.close();
    channel.close();
    fabric.close();
  }
}
