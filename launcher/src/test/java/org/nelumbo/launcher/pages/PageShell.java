package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.nelumbo.launcher.Main;

/**
 * Runs commands as pages show them. Memory nodes and compute nodes are processes at free ports,
 * which replace those of the page; other commands run in this process.
 */
final class PageShell implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:74\\d\\d");
  private static final Pattern DURATION = Pattern.compile("\\d+s");

  private final Map<String, String> variables = new HashMap<>();

  /** Memory nodes by the addresses of the page. */
  private final Map<String, NelumboProcess> memoryNodes = new HashMap<>();

  private final List<NelumboProcess> processes = new ArrayList<>();

  /** Runs the commands of a script. */
  Output run(Block script) throws IOException {
    Output all = Output.of("");
    for (PageCommand command : PageCommand.of(script, variables)) {
      all = all.with(run(command));
    }
    return all;
  }

  private Output run(PageCommand command) throws IOException {
    List<String> words = new ArrayList<>(command.words());
    switch (command.name()) {
      case "memory-node" -> {
        return Output.changing(startMemoryNode(words)::output);
      }
      case "status" -> {
        return Output.changing(() -> command.filtered(run(words)));
      }
      case "sql" -> words.addAll(List.of("-e", "SHUTDOWN")); // as the end of the process does
      case "bench" -> setDurations(words, "300ms");
      default -> {}
    }
    return Output.of(command.filtered(run(words)));
  }

  /** Runs a command in this process to its end, and returns its output and its errors. */
  String run(List<String> words) {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    PrintWriter writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
    System.setOut(out);
    try {
      String[] arguments = words.stream().map(this::actual).toArray(String[]::new);
      int status = Main.commandLine().setOut(writer).setErr(writer).execute(arguments);
      boolean reportsByStatus = words.contains("status") || words.contains("check");
      assertEquals(0, reportsByStatus ? 0 : status, () -> words + " prints " + printed);
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** Replaces the addresses of the page by those of running memory nodes. */
  String actual(String text) {
    assertFalse(text.contains("$"), text);
    return ADDRESS.matcher(text).replaceAll(each -> address(memoryNodes.get(each.group())));
  }

  private static String address(NelumboProcess memoryNode) {
    return memoryNode.awaitLine(" listens at ");
  }

  void startMemoryNode(String address, String memory) throws IOException {
    NelumboProcess _ =
        startMemoryNode(List.of("memory-node", "--listen", address, "--memory", memory));
  }

  /** Starts a memory node at a free port; after a restart, at the same port. */
  private NelumboProcess startMemoryNode(List<String> words) throws IOException {
    int at = words.indexOf("--listen") + 1;
    String shown = words.get(at);
    List<String> arguments = new ArrayList<>(words);
    arguments.set(at, memoryNodes.containsKey(shown) ? shown : "127.0.0.1:0");
    arguments.addAll(List.of("--preallocate", "never"));
    NelumboProcess node = start(List.of(), arguments);
    memoryNodes.put(shown, node);
    return node;
  }

  /** Kills the memory node at an address of the page. */
  void kill(String address) {
    memoryNodes.get(address).close();
  }

  /** Starts the benchmark of a script. It runs long enough to report its progress once. */
  NelumboProcess startBenchmark(Block script) throws IOException {
    List<String> words = new ArrayList<>(PageCommand.of(script, variables).getFirst().words());
    setDurations(words, "10s");
    words.addAll(List.of("--warmup", "1s", "--rate", "500"));
    return start(List.of(), words);
  }

  private static void setDurations(List<String> words, String duration) {
    words.replaceAll(word -> DURATION.matcher(word).matches() ? duration : word);
  }

  NelumboProcess start(String... words) throws IOException {
    return start(List.of(), List.of(words));
  }

  /** Starts a command in a process that {@link #close} ends. */
  NelumboProcess start(List<String> jvmOptions, List<String> words) throws IOException {
    NelumboProcess process =
        new NelumboProcess(jvmOptions, words.stream().map(this::actual).toList());
    processes.add(process);
    return process;
  }

  @Override
  public void close() {
    processes.forEach(NelumboProcess::close);
  }
}
