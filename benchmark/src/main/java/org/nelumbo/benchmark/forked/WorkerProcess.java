package org.nelumbo.benchmark.forked;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process that runs some of the terminals of a run. It reports that these are connected, waits
 * for the start signal, and writes its measurements to a file.
 *
 * <pre>
 *  this process                                worker
 *    starts it with its arguments  ------->    connects its terminals
 *                                  <-------    "ready"
 *    "go", to all workers          ------->    warm-up, measured time
 *                                  <-------    file; exits
 * </pre>
 *
 * A worker whose input ends before "go" exits, too, because the other process has ended.
 */
public final class WorkerProcess implements AutoCloseable {
  private static final String READY = "ready";
  private static final String GO = "go";

  private final Process process;
  private final Path file;
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

  private WorkerProcess(Process process, Path file) {
    this.process = process;
    this.file = file;
  }

  /**
   * Starts a worker process.
   *
   * @param main main class of the process
   * @param words command line after {@code bench}
   * @param resultOption option that takes the name of the result file
   * @param password password of the database, or null
   */
  public static WorkerProcess start(
      Class<?> main, List<String> words, String resultOption, String password) throws IOException {
    Path file = Files.createTempFile("nelumbo-bench", ".part");
    List<String> line = ForkedRun.line(main, words);
    line.addAll(List.of(resultOption, file.toString()));
    ProcessBuilder builder = new ProcessBuilder(line).redirectError(Redirect.INHERIT);
    if (password != null) {
      builder.environment().put(ForkedRun.PASSWORD_VARIABLE, password);
    }
    WorkerProcess worker = new WorkerProcess(builder.start(), file);
    Thread.ofVirtual().start(worker::listen);
    return worker;
  }

  private void listen() {
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (line.equals(READY)) {
          ready.complete(true);
        }
      }
    } catch (IOException e) {
      // the process has ended
    }
    ready.complete(false);
  }

  /**
   * Waits until its terminals are connected; returns false if the process ends first, or on
   * timeout.
   */
  public boolean awaitReady(long millis) throws InterruptedException {
    try {
      return ready.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return false;
    }
  }

  /** Sends the start signal to its terminals. */
  public void go() {
    try {
      OutputStream out = process.getOutputStream();
      out.write((GO + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      process.destroyForcibly(); // its exit status reports the failure
    }
  }

  /** Waits until the process has ended; returns its exit status. */
  public int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  /** Reads the measurements. The process must have ended with status 0. */
  public RunPart result() throws IOException {
    return RunPart.read(file);
  }

  /** Kills the process if it is still running, and deletes the result file. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Called in the worker: reports that its terminals are connected, and waits for the start signal.
   * Returns false if the input ends without one.
   */
  public static boolean awaitGo(PrintWriter out) throws IOException {
    out.println(READY);
    out.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    return GO.equals(in.readLine());
  }
}
