package org.nelumbo.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.fabric.shm.SharedFilesReport;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.pool.PoolOpenException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo status}: shows the status of the memory nodes of a pool and of the compute nodes
 * that share it, without disturbing them. Exit status: see {@link PoolSummary.State}; 2 is wrong
 * usage.
 */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description =
        "Shows the memory nodes of a pool (size, clients, activity) and the compute nodes that"
            + " share it.",
    footer = {
      "",
      "The secret is read from the environment variable NELUMBO_SECRET. The properties",
      "password, secretFile, tls, tlsTrust, tlsCert and tlsKey of the URL are used; others",
      "are ignored.",
      "",
      "Exit status: 0 all nodes are live, 2 wrong usage, 3 a required node does not",
      "respond, 4 a node is out, 5 a node is being filled, or the pool must be loaded, 6 no",
      "pool has been created, 7 the nodes serve different compute nodes or pools."
    })
final class StatusCommand implements Callable<Integer> {
  private static final String LIVE = "live";
  private static final long PERIOD_MILLIS = 500;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "URL",
      description = "As jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME, or jdbc:nelumbo:shm:PATH.")
  private String url;

  @Option(names = "--table", description = "Show the memory nodes as a table of the main values.")
  private boolean isTable;

  @Option(
      names = "--wait",
      paramLabel = "live",
      description = "Wait until all memory nodes are live.")
  private String wait;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = DurationConverter.class,
      description = "Maximum time to wait, such as 30s or 5m (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  @Override
  public Integer call() throws InterruptedException {
    if (SharedFilesUrl.isOne(url)) {
      return showFiles(new SharedFilesUrl(url, spec.commandLine()));
    }
    RemotePoolUrl pool = new RemotePoolUrl(url, spec.commandLine());
    if (wait != null && !wait.equals(LIVE)) {
      throw new ParameterException(
          spec.commandLine(), "'" + wait + "' cannot be waited for; write --wait " + LIVE);
    }
    TcpOptions options = pool.options("status");
    List<String> nodes = pool.nodes();
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      List<String> lines = new ArrayList<>();
      List<String> failures = new ArrayList<>();
      PoolSummary summary = ask(nodes, options, lines, failures);
      boolean isOver = wait == null || System.nanoTime() - end >= 0;
      if (isOver || summary.state() == PoolSummary.State.LIVE) {
        show(summary, lines, failures);
        return summary.state().exitStatus();
      }
      Thread.sleep(PERIOD_MILLIS);
    }
  }

  private int showFiles(SharedFilesUrl pool) {
    if (wait != null) {
      throw new ParameterException(
          spec.commandLine(), "--wait is for memory nodes; a pool in files needs none");
    }
    PrintWriter out = spec.commandLine().getOut();
    try {
      SharedFilesReport report = pool.report();
      boolean isMade = report.bytes() > 0;
      ComputeNodeLines processes = new ComputeNodeLines();
      processes.add(report);
      if (processes.isShared()) {
        processes.lines(SharedFilesUrl.configuration(report), 1).forEach(out::println);
      }
      out.println(
          "pool nodes="
              + report.nodes()
              + (isMade
                  ? " bytes=" + report.bytes() + " copies=1 state=live"
                  : " (no pool has been created here)"));
      out.flush();
      return (isMade ? PoolSummary.State.LIVE : PoolSummary.State.EMPTY).exitStatus();
    } catch (PoolOpenException | IllegalArgumentException e) {
      spec.commandLine().getErr().println("nelumbo: " + e.getMessage());
      return PoolSummary.State.UNREACHABLE.exitStatus();
    }
  }

  private void show(PoolSummary summary, List<String> lines, List<String> failures) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    lines.forEach(out::println);
    out.flush();
    failures.forEach(failure -> err.println("nelumbo: " + failure));
    if (!summary.warning().isEmpty()) {
      err.println("nelumbo: " + summary.warning());
    }
    if (!summary.slowness().isEmpty()) {
      err.println("nelumbo: " + summary.slowness());
    }
    out.println(summary.line());
    out.flush();
  }

  /**
   * Requests the status of all nodes in parallel, so that unresponsive nodes cost a single timeout.
   */
  private PoolSummary ask(
      List<String> nodes, TcpOptions options, List<String> lines, List<String> failures)
      throws InterruptedException {
    String[] replies = new String[nodes.size()];
    String[] problems = new String[nodes.size()];
    long[] millis = new long[nodes.size()];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      int node = i;
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  long asked = System.nanoTime();
                  NodeAddress address = NodeAddress.parse(nodes.get(node));
                  replies[node] = TcpFabric.status(address, node, options).strip();
                  millis[node] = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked);
                } catch (RuntimeException e) {
                  problems[node] = e.getMessage();
                }
              }));
    }
    PoolSummary summary = new PoolSummary(nodes.size());
    NodeTable table = new NodeTable();
    ComputeNodeLines computeNodes = new ComputeNodeLines();
    for (int node = 0; node < nodes.size(); node++) {
      threads.get(node).join();
      if (replies[node] == null) {
        failures.add(problems[node]);
        table.addSilent(node, nodes.get(node));
      } else {
        table.add(node, nodes.get(node), replies[node], millis[node]);
        summary.add(node, replies[node]);
        summary.addReplyTime(node, millis[node]);
        computeNodes.add(replies[node]);
        if (!isTable) {
          lines.add(nodeLine(node, nodes.get(node), replies[node], millis[node]));
        }
      }
    }
    if (isTable) {
      lines.addAll(table.lines());
    }
    if (computeNodes.isShared()) {
      int answered = nodes.size() - failures.size();
      lines.addAll(computeNodes.lines(RemotePoolUrl.configuration(nodes, options), answered));
    }
    return summary;
  }

  private static String nodeLine(int node, String address, String reply, long millis) {
    return "node="
        + node
        + " address="
        + address
        + " "
        + ComputeNodeLines.rest(reply).replace("\n", " ")
        + " answer_millis="
        + millis;
  }
}
