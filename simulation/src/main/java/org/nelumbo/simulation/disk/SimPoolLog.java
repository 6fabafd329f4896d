package org.nelumbo.simulation.disk;

import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.dm.redo.node.RedoReceiver;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A compute node's connection to the log of a memory node. A frame of a live sender arrives. If the
 * sender has failed in the meantime, the frame arrives or not; it never arrives after a fence.
 */
final class SimPoolLog implements PoolLog {
  private static final long NETWORK_NANOS = 20_000;
  static final long POLL_NANOS = 2_000;

  private final SimWorld world;
  private final int node;
  private final SimNode memoryNode;
  private final NodeLog log;
  private final BooleanSupplier isFenced;
  private final BooleanSupplier isGone;
  private final SimRandom random;
  private RedoReceiver asked;

  /** True if requests in flight are no longer executed. */
  private boolean isClosed;

  private int working;

  /**
   * Creates a connection to a log.
   *
   * @param node number of the memory node, for messages
   * @param isFenced returns true if no arriving request is executed any more
   * @param isGone returns true if no reply arrives any more
   */
  SimPoolLog(
      SimWorld world,
      int node,
      SimNode memoryNode,
      NodeLog log,
      BooleanSupplier isFenced,
      BooleanSupplier isGone) {
    this.world = world;
    this.node = node;
    this.memoryNode = memoryNode;
    this.log = log;
    this.isFenced = isFenced;
    this.isGone = isGone;
    this.random = world.random("log of " + world.current().name() + " at " + memoryNode.name());
  }

  private static final class Call {
    private boolean isAnswered;
    private RuntimeException failure;
  }

  @Override
  public Appender newAppender() {
    RedoReceiver receiver = log.receiver();
    Call[] call = new Call[1];
    return new Appender() {
      @Override
      public void send(long transaction, byte[] frame, int length, boolean isForced) {
        byte[] copy = Arrays.copyOf(frame, length);
        call[0] =
            begin(
                () -> {
                  receiver.append(transaction, copy, 0, length, isForced);
                  receiver.awaitForced();
                });
      }

      @Override
      public void await() {
        SimPoolLog.this.await(call[0]);
      }
    };
  }

  @Override
  public void force() {
    newAppender().append(0, new byte[0], 0, true);
  }

  @Override
  public int lastStore() {
    int[] last = new int[1];
    await(begin(() -> last[0] = log.lastStore()));
    return last[0];
  }

  @Override
  public long committed(long transaction) {
    long[] timestamp = new long[1];
    await(begin(() -> timestamp[0] = log.committed(transaction)));
    return timestamp[0];
  }

  @Override
  public void forgetCommitted() {
    await(begin(log::forgetCommitted));
  }

  @Override
  public byte[] ask(byte[] question) {
    byte[][] reply = new byte[1][];
    await(
        begin(
            () -> {
              if (asked == null) {
                asked = log.receiver();
              }
              reply[0] = asked.reply(question);
            }));
    return reply[0];
  }

  /** Ends the connection; other connections are served after the requests in progress. */
  void end() {
    isClosed = true;
  }

  /**
   * Returns true if a request that arrived before the end of the connection is still being
   * executed.
   */
  boolean isAtWork() {
    return working > 0;
  }

  /** Releases the files of the log that were kept for this connection. */
  void close() {
    if (asked != null) {
      asked.close();
    }
  }

  private Call begin(Runnable work) {
    Call call = new Call();
    SimTask sender = world.current();
    world.spawn(memoryNode, "log", () -> reply(sender, work, call));
    return call;
  }

  private void await(Call call) {
    while (!call.isAnswered) {
      if (isGone.getAsBoolean()) {
        throw new FabricException(node, "the connection to the log has ended", null);
      }
      world.sleepUntil(world.now() + POLL_NANOS);
    }
    if (call.failure != null) {
      throw new FabricException(node, call.failure.getMessage(), call.failure);
    }
  }

  private void reply(SimTask sender, Runnable work, Call call) {
    world.sleepUntil(world.now() + 1 + random.nextLong(NETWORK_NANOS));
    boolean isLost = !sender.isAlive() && random.nextInt(2) == 0;
    if (isLost || isClosed || isFenced.getAsBoolean()) {
      return; // the waiting sender has ended
    }
    working++;
    try {
      work.run();
    } catch (RedoFailedException | IllegalArgumentException | UncheckedIOException e) {
      call.failure = e;
    } finally {
      working--;
    }
    world.sleepUntil(world.now() + 1 + random.nextLong(NETWORK_NANOS));
    call.isAnswered = true;
  }
}
