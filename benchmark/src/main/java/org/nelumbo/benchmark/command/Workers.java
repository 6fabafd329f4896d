package org.nelumbo.benchmark.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.forked.RunPart;
import org.nelumbo.benchmark.forked.WorkerProcess;
import org.nelumbo.benchmark.run.RunStoppedException;
import org.nelumbo.benchmark.run.StartLine;

/** The other processes of a run. Empty if the run has only one process. */
final class Workers implements StartLine, AutoCloseable {
  /** Limit for a process to start and connect its terminals, on a slow machine. */
  private static final long READY_MILLIS = 600_000;

  private final List<WorkerProcess> workers = new ArrayList<>();

  private Workers() {}

  /**
   * Starts the processes.
   *
   * @param words their common command line, without the number of the worker
   */
  static Workers start(BenchmarkOptions options, List<String> words) throws RunStoppedException {
    Workers started = new Workers();
    try {
      for (int worker = 1; worker < options.processes; worker++) {
        List<String> line = new ArrayList<>(words);
        line.addAll(List.of(BenchmarkOptions.WORKER, Integer.toString(worker)));
        started.workers.add(
            WorkerProcess.start(
                BenchmarkMain.class, line, BenchmarkOptions.WORKER_RESULT, options.password));
      }
      return started;
    } catch (IOException e) {
      started.close();
      throw new RunStoppedException("a process cannot be started: " + e.getMessage(), e, false);
    }
  }

  @Override
  public void await() throws RunStoppedException, InterruptedException {
    for (WorkerProcess each : workers) {
      if (!each.awaitReady(READY_MILLIS)) {
        throw new RunStoppedException(
            name(each) + " did not reach the start; its error is above", null, false);
      }
    }
    workers.forEach(WorkerProcess::go);
  }

  /** Waits for all processes; returns their results. */
  List<RunPart> results() throws RunStoppedException, InterruptedException {
    List<RunPart> results = new ArrayList<>();
    for (WorkerProcess each : workers) {
      int status = each.awaitEnd();
      if (status != 0) {
        throw new RunStoppedException(
            name(each) + " has ended with status " + status + "; there is no result", null, false);
      }
      try {
        results.add(each.result());
      } catch (IOException e) {
        throw new RunStoppedException(
            "the result of " + name(each) + " cannot be read: " + e.getMessage(), e, false);
      }
    }
    return results;
  }

  private String name(WorkerProcess worker) {
    return "process " + (workers.indexOf(worker) + 2) + " of " + (workers.size() + 1);
  }

  @Override
  public void close() {
    workers.forEach(WorkerProcess::close);
  }
}
