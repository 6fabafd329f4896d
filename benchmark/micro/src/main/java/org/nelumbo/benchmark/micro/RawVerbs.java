package org.nelumbo.benchmark.micro;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The verbs of {@link SmallTransfer} alone. The verbs of such transactions are recorded (kinds,
 * sizes, addresses, flushes) and then posted again in a loop on a channel of the same pool.
 * Addresses no longer depend on data that was read before, so the processor can overlap cache
 * misses that the transaction must take one after the other.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class RawVerbs {
  private static final int STAGING_BYTES = 1 << 20;
  private static final int WARM_TRANSACTIONS = 2_000;
  private static final int SAMPLE = 101;

  @Param({"10000", "1000000"})
  private int accounts;

  @Param("100000")
  private int recorded;

  private final Trace trace = new Trace();
  private LocalFabric fabric;
  private Channel channel;
  private int next;

  @Setup
  public void load() {
    System.out.println("# verbs of a transaction: " + record(accounts, recorded));
  }

  /** Records this number of transactions; returns their common sequence of verbs. */
  String record(int accountCount, int wanted) {
    accounts = accountCount;
    recorded = wanted;
    fabric = LoadedRows.newFabric(accounts);
    RecordingFabric recording = new RecordingFabric(fabric, trace);
    SmallTransfer transfer = new SmallTransfer();
    transfer.open(recording, accounts);
    for (int i = 0; i < WARM_TRANSACTIONS; i++) {
      transfer.transaction();
    }
    recording.record(true);
    choosePattern(transfer);
    for (int i = 0; i < recorded; i++) {
      transfer.transaction();
      trace.end();
    }
    recording.record(false);
    transfer.close();
    if (trace.transactions() < recorded / 8) {
      throw new IllegalStateException("transactions alike=" + trace.transactions());
    }
    channel = fabric.openChannel(STAGING_BYTES);
    return trace.toString();
  }

  /**
   * Selects the most frequent sequence of verbs. Transactions differ, because the inline slot of
   * each row is free or taken; a few read a second bucket.
   */
  private void choosePattern(SmallTransfer transfer) {
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < SAMPLE; i++) {
      transfer.transaction();
      trace.take();
      counts.merge(trace.toString(), 1, Integer::sum);
    }
    String most = Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    while (!trace.toString().equals(most)) {
      transfer.transaction();
      trace.take();
    }
  }

  @Benchmark
  public void transaction() {
    trace.replay(next, channel);
    next = next + 1 == trace.transactions() ? 0 : next + 1;
  }

  @TearDown
  public void close() {
    channel.close();
    fabric.close();
  }
}
