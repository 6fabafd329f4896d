package org.nelumbo.simulation.figure;

import java.util.List;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.simulation.fabric.CpuModel;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.world.FifoServer;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A coroutine of a published system: posts verbs at the addresses of rows, and calls other compute
 * nodes. Each memory node has a copy of each row. For one task.
 */
final class StepClient implements AutoCloseable {
  static final int NOWHERE = -1;

  private static final int STAGING_BYTES = 1 << 10;
  private static final int ROWS = 1 << 13;
  private static final int ROW_BYTES = 128;

  /** Time of a message on an idle network, as that of a verb in one direction. */
  private static final long MESSAGE_NANOS = 1_000;

  private final SimWorld world;
  private final SimPool pool;
  private final PublishedMix mix;
  private final SimRandom random;
  private final List<SimNode> computeNodes;
  private final int self;
  private final int thread;
  private final Channel channel;
  private final Channel unawaited;

  /**
   * Creates a coroutine.
   *
   * @param self number of its compute node
   * @param thread number of its thread, whose processor it uses
   */
  StepClient(
      SimPool pool,
      Fabric fabric,
      PublishedMix mix,
      SimRandom random,
      List<SimNode> computeNodes,
      int self,
      int thread) {
    this.world = pool.world();
    this.pool = pool;
    this.mix = mix;
    this.random = random;
    this.computeNodes = computeNodes;
    this.self = self;
    this.thread = thread;
    this.channel = fabric.openChannel(STAGING_BYTES);
    this.unawaited = fabric.openChannel(STAGING_BYTES);
  }

  int nodes() {
    return pool.nodeCount();
  }

  int recordBytes() {
    return mix.recordBytes();
  }

  /** Returns the memory node that has the primary copy of a row's table. */
  int primary(RowAccess row) {
    return row.table() % nodes();
  }

  boolean hasCachedVersions(RowAccess row) {
    return random.chance(mix.cachedShare(row));
  }

  private static long address(int node, RowAccess row) {
    return PoolAddress.of(node, (row.row() % ROWS) * ROW_BYTES);
  }

  void read(int node, RowAccess row, int bytes) {
    channel.read(address(node, row), 0, bytes);
  }

  void compareAndSwap(int node, RowAccess row) {
    channel.compareAndSwap(address(node, row), 0, 0, 0);
  }

  void write(int node, RowAccess row, int bytes) {
    channel.write(address(node, row), 0, bytes);
  }

  void flush() {
    channel.flush();
  }

  /** Waits for the earlier writes that nothing has waited for. */
  void beginUnawaited() {
    unawaited.flush();
  }

  void writeUnawaited(int node, RowAccess row, int bytes) {
    unawaited.write(address(node, row), 0, bytes);
    unawaited.start();
  }

  /** Returns a compute node that has locks of the rows, other than this one, or NOWHERE. */
  int remoteOwner(List<RowAccess> rows) {
    int count = computeNodes.size();
    for (RowAccess each : rows) {
      int distance = Math.floorMod(each.row() - rows.getFirst().row(), count);
      if (distance != 0) {
        return (self + distance) % count;
      }
    }
    return NOWHERE;
  }

  /** Charges the work of a transaction and its rows. */
  void charge(int rows) {
    CpuModel cpu = pool.model().cpu();
    processor(self).work(world.now(), cpu.transaction() + rows * cpu.row());
  }

  private FifoServer processor(int node) {
    return computeNodes.get(node).processors().get(thread);
  }

  private void work(int node, long nanos) {
    long now = world.now();
    world.sleepUntil(now + processor(node).work(now, nanos));
  }

  /** Sends a request to the same thread of another compute node, and waits for the reply. */
  void call(int node) {
    CpuModel cpu = pool.model().cpu();
    work(self, cpu.send());
    world.sleepUntil(world.now() + MESSAGE_NANOS);
    work(node, cpu.serve() + cpu.send());
    world.sleepUntil(world.now() + MESSAGE_NANOS);
    work(self, cpu.serve());
  }

  /** Sends a message to the same thread of another compute node. */
  void send(int node) {
    CpuModel cpu = pool.model().cpu();
    work(self, cpu.send());
    long arrival = world.now() + MESSAGE_NANOS;
    world.at(arrival, () -> processor(node).work(arrival, cpu.serve()));
  }

  @Override
  public void close() {
    channel.close();
    unawaited.close();
  }
}
