package org.nelumbo.benchmark.forked;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.RunStatisticsCodec;

/**
 * The part of one process in a run of several processes.
 *
 * @param terminals number of terminals of the process
 * @param statistics statistics of these terminals
 * @param localLocks locks that its database granted itself; 0 if it does not count them
 * @param remoteLocks locks that its database requested from other processes
 * @param tally data of the workload for the process that checks
 */
public record RunPart(
    int terminals, RunStatistics statistics, long localLocks, long remoteLocks, List<Long> tally) {
  /** Writes this part in the format of {@link #read}. */
  public void write(Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(terminals);
      RunStatisticsCodec.write(out, statistics);
      out.writeLong(localLocks);
      out.writeLong(remoteLocks);
      out.writeInt(tally.size());
      for (long each : tally) {
        out.writeLong(each);
      }
    }
  }

  /** Reads a file that {@link #write} has written. */
  static RunPart read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      int terminals = in.readInt();
      RunStatistics statistics = RunStatisticsCodec.read(in);
      long localLocks = in.readLong();
      long remoteLocks = in.readLong();
      List<Long> tally = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        tally.add(in.readLong());
      }
      return new RunPart(terminals, statistics, localLocks, remoteLocks, tally);
    }
  }
}
