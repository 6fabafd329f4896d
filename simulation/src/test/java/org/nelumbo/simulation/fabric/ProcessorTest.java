package org.nelumbo.simulation.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.FifoServer;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/** Times of verbs whose coordinators share processors, on a network without delays of its own. */
@Timeout(60)
class ProcessorTest {
  private static final FabricModel MODEL =
      FabricModel.preset("local")
          .with(
              Map.of(
                  "round-trip", "2us",
                  "jitter", "0ns",
                  "torn-chance", "0",
                  "cpu.post", "100ns",
                  "cpu.doorbell", "1us",
                  "cpu.poll", "500ns"));

  private final SimWorld world = new SimWorld(1, Trace.hashing());
  private final SimFabric pool = new SimFabric(world, MODEL, 2, 1 << 20);
  private final SimNode node = world.addNode("cn0");
  private final long[] ends = new long[2];

  /** Runs two coroutines that read from two memory nodes; returns when they end. */
  private long[] run(int processors) {
    node.addProcessors(processors);
    Fabric fabric = pool.attach(node);
    for (int i = 0; i < ends.length; i++) {
      int client = i;
      SimTask task =
          world.spawn(
              node,
              "client-" + i,
              () -> {
                try (Channel channel = fabric.openChannel(1024)) {
                  for (int verb = 0; verb < 4; verb++) {
                    channel.read(PoolAddress.of(verb % 2, 8192), 8 * verb, 8);
                  }
                  channel.flush();
                  ends[client] = world.now();
                }
              });
      FifoServer processor = node.processors().get(i % processors);
      task.runOn(processor);
    }
    world.run();
    double busy = node.processors().stream().mapToDouble(FifoServer::busyNanos).sum();
    assertEquals(2 * (4 * 100 + 2 * 1_000 + 500), busy);
    world.close();
    pool.release();
    return ends;
  }

  @Test
  void shouldPostInTurnOnOneProcessor() {
    long[] ended = run(1);
    long first = Math.min(ended[0], ended[1]);
    long last = Math.max(ended[0], ended[1]);
    assertEquals(
        2_400 + 2_400 + 500, first - first % 100); // polls after the posts of the other one
    assertEquals(2_400 + 2_400 + 2_000 + 500, last - last % 100);
  }

  @Test
  void shouldPostAtOnceOnTwoProcessors() {
    long[] ended = run(2);
    assertEquals(2_400 + 2_000 + 500, ended[0] - ended[0] % 100);
    assertEquals(2_400 + 2_000 + 500, ended[1] - ended[1] % 100);
  }
}
