package org.nelumbo.benchmark.run;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Writes statistics, with whole histograms, for another process of the same program. */
public final class RunStatisticsCodec {
  private RunStatisticsCodec() {}

  /** Writes statistics in the format of {@link #read}. */
  public static void write(DataOutputStream out, RunStatistics statistics) throws IOException {
    out.writeInt(statistics.types().size());
    for (TypeStatistics each : statistics.types()) {
      each.write(out);
    }
    out.writeLong(statistics.measured().toNanos());
    out.writeLong(statistics.warmup().length().toNanos());
    out.writeBoolean(statistics.warmup().steady());
    statistics.timeline().write(out);
    statistics.usage().write(out);
    out.writeLong(statistics.notStarted());
  }

  /** Reads statistics that {@link #write} has written. */
  public static RunStatistics read(DataInputStream in) throws IOException {
    List<TypeStatistics> types = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      types.add(TypeStatistics.read(in));
    }
    Duration measured = Duration.ofNanos(in.readLong());
    RunStatistics.WarmupResult warmup =
        new RunStatistics.WarmupResult(Duration.ofNanos(in.readLong()), in.readBoolean());
    Timeline timeline = Timeline.read(in);
    ProcessUsage usage = ProcessUsage.read(in);
    return new RunStatistics(types, measured, warmup, timeline, usage, in.readLong());
  }
}
