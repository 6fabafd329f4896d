package org.nelumbo.benchmark.micro;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.rdma.RdmaChannel;
import org.nelumbo.dm.fabric.rdma.RemoteMemory;
import org.nelumbo.dm.fabric.rdma.SendQueue;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of an RDMA verb on this processor, without the driver: the request is encoded and posted
 * to a queue that does nothing, and the last completion of a flush is polled.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RdmaRequests {
  private static final int FLUSH = 8;
  private static final int LINE = 64;
  private static final int NODE_BYTES = 1 << 30;
  private static final int REQUESTS = 256;

  @Param("64")
  private int inlineBytes;

  private final Draw draw = new Draw();
  private Channel channel;

  /**
   * A queue that completes every request at once. The completion is all zero, which means success.
   */
  private record IdleQueue(int requests, int inlineBytes) implements SendQueue {
    @Override
    public int post(long first) {
      return 0;
    }

    @Override
    public int poll(long completion) {
      return 1;
    }

    @Override
    public void close() {}
  }

  @Setup
  public void open() {
    MemorySegment staging = Arena.ofAuto().allocate(1 << 16, LINE);
    channel =
        new RdmaChannel(
            new SystemEnvironment(),
            new SendQueue[] {new IdleQueue(REQUESTS, inlineBytes)},
            new RemoteMemory[] {new RemoteMemory(0, NODE_BYTES, 1)},
            staging,
            null,
            (node, why) -> new FabricException(node, why, null),
            () -> false,
            () -> {});
  }

  private long place() {
    return PoolAddress.of(0, (long) draw.below(NODE_BYTES / LINE) * LINE);
  }

  @Benchmark
  public void read64() {
    channel.read(place(), 0, LINE);
    channel.flush();
  }

  @Benchmark
  @OperationsPerInvocation(FLUSH)
  public void read64ByEight() {
    for (int i = 0; i < FLUSH; i++) {
      channel.read(place(), i * LINE, LINE);
    }
    channel.flush();
  }

  @Benchmark
  @OperationsPerInvocation(FLUSH)
  public void write64ByEight() {
    for (int i = 0; i < FLUSH; i++) {
      channel.write(place(), i * LINE, LINE);
    }
    channel.flush();
  }

  @Benchmark
  @OperationsPerInvocation(FLUSH)
  public void compareAndSwapByEight() {
    for (int i = 0; i < FLUSH; i++) {
      channel.compareAndSwap(place(), 0, 1, i * Long.BYTES);
    }
    channel.flush();
  }

  @TearDown
  public void close() {
    channel.close();
  }
}
