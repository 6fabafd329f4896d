package org.nelumbo.soak.process;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM with the class path of this one. Its standard output is read line by line; its error output
 * is appended to a file. It ends with the process that started it, unless that one is killed.
 */
public final class ChildProcess implements AutoCloseable {
  private static final long END_SECONDS = 30;

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () ->
                    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
  }

  private final Process process;
  private final Thread reader;
  private final BufferedWriter input;

  private ChildProcess(Process process, Consumer<String> lines) {
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    this.reader =
        Thread.ofPlatform().daemon().name("output-" + process.pid()).start(() -> read(lines));
  }

  /**
   * Starts a JVM.
   *
   * @param jvm options of the JVM, such as {@code -Xmx64m}
   * @param command class of the main method, and its arguments
   * @param environment environment variables in addition to those of this process
   * @param errors file to which error output is appended
   * @param lines receives each line of standard output, on one thread
   */
  public static ChildProcess java(
      List<String> jvm,
      List<String> command,
      Map<String, String> environment,
      File errors,
      Consumer<String> lines)
      throws IOException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.add("--enable-native-access=ALL-UNNAMED");
    all.add("-XX:+UseSerialGC");
    all.add("-Xlog:disable"); // warnings of the JVM are not lines of the program
    all.add("-Xlog:all=warning:stderr");
    all.addAll(jvm);
    all.add("-cp");
    all.add(classPath());
    all.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.appendTo(errors));
    builder.environment().putAll(environment);
    return new ChildProcess(builder.start(), lines);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private void read(Consumer<String> lines) {
    try (var output = process.inputReader(StandardCharsets.UTF_8)) {
      output.lines().forEach(lines);
    } catch (IOException | UncheckedIOException e) {
      return; // the process was killed while it wrote a line
    }
  }

  /** Writes a line to its standard input; does nothing if it has ended. */
  public void say(String line) {
    try {
      input.write(line);
      input.newLine();
      input.flush();
    } catch (IOException e) {
      return; // it has ended; callers that wait for a reply check isAlive
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  /** Sends a signal: {@code STOP}, {@code CONT}, {@code TERM}, {@code KILL}. */
  public void signal(String name) throws IOException, InterruptedException {
    SystemCommand.run("kill", "-" + name, Long.toString(pid()));
  }

  /** Returns true if a signal has stopped it. */
  public boolean isStopped() throws IOException {
    String status = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"));
    return status.charAt(status.lastIndexOf(')') + 2) == 'T';
  }

  /**
   * Sets a limit of the running process, in the syntax of prlimit(1): {@code --nofile=20:}.
   *
   * @throws IOException if the limit is refused
   */
  public void limit(String option) throws IOException, InterruptedException {
    if (SystemCommand.run("prlimit", "--pid", Long.toString(pid()), option) != 0) {
      throw new IOException("prlimit " + option + " is refused");
    }
  }

  /** Appends the stacks of its threads to a file. */
  public void dumpThreads(File to) throws IOException, InterruptedException {
    new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
            Long.toString(pid()),
            "Thread.print")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(to))
        .start()
        .waitFor();
  }

  /** Returns a future that completes when the process has ended. */
  public CompletableFuture<Process> ended() {
    return process.onExit();
  }

  /** Kills the process with signal 9, and waits until all of its output has been read. */
  public void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    awaitEnd();
  }

  /** Waits for the end of the process, and kills it after a timeout. */
  public void awaitEnd() throws InterruptedException {
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      process.toHandle().destroyForcibly();
      process.waitFor();
    }
    reader.join();
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
  }
}
