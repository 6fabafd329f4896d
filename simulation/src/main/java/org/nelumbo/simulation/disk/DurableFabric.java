package org.nelumbo.simulation.disk;

import java.util.Arrays;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.NodeLog;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoReceiver;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A compute node's way to a memory node that keeps a log. A frame that was sent arrives, whatever
 * has become of its sender by then, unless that was fenced before.
 */
final class DurableFabric extends ForwardingFabric {
  private static final long NETWORK_NANOS = 20_000;
  private static final long POLL_NANOS = 2_000;

  private final SimWorld world;
  private final SimNode memoryNode;
  private final NodeLog log;
  private final SimRandom random;
  private boolean isFenced;

  DurableFabric(Fabric fabric, SimWorld world, SimNode memoryNode, NodeLog log) {
    super(fabric);
    this.world = world;
    this.memoryNode = memoryNode;
    this.log = log;
    this.random = world.random("log of " + world.current().name());
  }

  /** Nothing that has not arrived by now is appended any more. */
  void fence() {
    isFenced = true;
  }

  @Override
  public long poolId() {
    return log.id();
  }

  @Override
  public PoolLog log() {
    return new Log();
  }

  /** A question, and whether there is an answer. */
  private static final class Call {
    private boolean isAnswered;
    private RuntimeException failure;
  }

  private final class Log implements PoolLog {
    @Override
    public Appender newAppender() {
      RedoReceiver receiver = log.receiver();
      return (transaction, frame, length, isForced) -> {
        byte[] copy = Arrays.copyOf(frame, length);
        call(
            () -> {
              receiver.append(transaction, copy, 0, length, isForced);
              receiver.awaitForced();
            });
      };
    }

    @Override
    public void force() {
      RedoReceiver receiver = log.receiver();
      call(
          () -> {
            receiver.append(0, new byte[0], 0, 0, true);
            receiver.awaitForced();
          });
    }

    @Override
    public int lastStore() {
      int[] last = new int[1];
      call(() -> last[0] = log.lastStore());
      return last[0];
    }

    @Override
    public long committed(long transaction) {
      long[] timestamp = new long[1];
      call(() -> timestamp[0] = log.committed(transaction));
      return timestamp[0];
    }

    @Override
    public void forgetCommitted() {
      call(log::forgetCommitted);
    }
  }

  /** Has the memory node do something, and waits for the answer. */
  private void call(Runnable work) {
    Call call = new Call();
    world.spawn(memoryNode, "log", () -> answer(work, call));
    while (!call.isAnswered) {
      world.sleepUntil(world.now() + POLL_NANOS);
    }
    if (call.failure != null) {
      throw new FabricException(0, call.failure.getMessage(), call.failure);
    }
  }

  private void answer(Runnable work, Call call) {
    world.sleepUntil(world.now() + 1 + random.nextLong(NETWORK_NANOS));
    if (isFenced) {
      return; // who waits for it is gone
    }
    try {
      work.run();
    } catch (RedoFailedException e) {
      call.failure = e;
    }
    world.sleepUntil(world.now() + 1 + random.nextLong(NETWORK_NANOS));
    call.isAnswered = true;
  }
}
