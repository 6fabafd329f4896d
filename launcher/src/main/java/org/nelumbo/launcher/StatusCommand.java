package org.nelumbo.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.benchmark.ExitStatus;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.pool.PoolOpenException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo status}: what the memory nodes of a pool say about themselves, without disturbing
 * whom they serve. Exit status: 0 all have answered, 2 wrong usage, 3 one has not.
 */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Shows the memory nodes of a pool: size, whom they serve, what they have done.",
    footer = {
      "",
      "A secret is taken from the environment variable NELUMBO_SECRET. Of the URL's properties,",
      "password, secretFile, tls, tlsTrust, tlsCert and tlsKey count."
    })
final class StatusCommand implements Callable<Integer> {
  private static final String PREFIX = "jdbc:nelumbo://";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "URL", description = "As jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME.")
  private String url;

  @Override
  public Integer call() {
    if (!url.startsWith(PREFIX)) {
      throw new ParameterException(
          spec.commandLine(),
          "'" + url + "' names no memory nodes; write " + PREFIX + "HOST:PORT/NAME");
    }
    String hosts = url.substring(PREFIX.length()).replaceAll("[/?].*", "");
    TcpFabric.Options options = options();
    String[] nodes = hosts.split(",", -1);
    PoolSummary summary = new PoolSummary(nodes.length);
    for (int node = 0; node < nodes.length; node++) {
      show(node, nodes[node], options, summary);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(summary.line());
    out.flush();
    return summary.haveAllAnswered() ? ExitStatus.DONE : ExitStatus.NO_DATABASE;
  }

  private TcpFabric.Options options() {
    try {
      return TcpFabric.Options.of("status").withSecrets(secrets()).withTls(tls());
    } catch (IOException | InvalidPathException e) {
      throw new ParameterException(
          spec.commandLine(), "a property of the URL cannot be used: " + e.getMessage(), e);
    }
  }

  private Secrets secrets() throws IOException {
    String file = property("secretFile", "");
    String secret = System.getenv().getOrDefault(MemoryNodeCommand.SECRET_VARIABLE, "");
    return file.isEmpty()
        ? Secrets.of(property("password", secret))
        : Secrets.ofFile(Path.of(file));
  }

  private Tls tls() throws IOException {
    return property("tls", "false").equalsIgnoreCase("true")
        ? Tls.ofClient(file("tlsTrust"), file("tlsCert"), file("tlsKey"))
        : null;
  }

  private Path file(String key) {
    String name = property(key, "");
    return name.isEmpty() ? null : Path.of(name);
  }

  private String property(String key, String otherwise) {
    Matcher matcher = Pattern.compile("(?i)[?&;]" + key + "=([^&;]*)").matcher(url);
    return matcher.find() ? matcher.group(1) : otherwise;
  }

  private void show(int node, String host, TcpFabric.Options options, PoolSummary summary) {
    PrintWriter out = spec.commandLine().getOut();
    try {
      NodeAddress address = NodeAddress.parse(host);
      String lines = TcpFabric.status(address, node, options).strip().replace("\n", " ");
      out.println("node=" + node + " address=" + address + " " + lines);
      summary.add(node, lines);
    } catch (IllegalArgumentException | PoolOpenException e) {
      out.flush();
      spec.commandLine().getErr().println("nelumbo: " + e.getMessage());
    }
  }
}
