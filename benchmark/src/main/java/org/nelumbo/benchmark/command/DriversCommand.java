package org.nelumbo.benchmark.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.nelumbo.benchmark.database.DriverFolder;
import org.nelumbo.benchmark.peer.DriverDownload;
import org.nelumbo.benchmark.peer.Peer;
import org.nelumbo.benchmark.peer.Peers;
import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code nelumbo bench drivers}: downloads the drivers of peers that are not on the
 * class path.
 */
@Command(
    name = "drivers",
    mixinStandardHelpOptions = true,
    description =
        "Downloads JDBC drivers of peers through Maven, with the mirrors of your settings.xml. All"
            + " benchmarks then find them.")
final class DriversCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "Drivers to download (default: all missing ones).")
  private List<String> names = new ArrayList<>();

  @Option(names = "--list", description = "List the peers and the locations of their drivers.")
  private boolean list;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      Peers.all().forEach(peer -> out.println(describe(peer)));
      return ExitStatus.DONE;
    }
    DriverDownload download =
        new DriverDownload(System.getProperty(DriverDownload.HOME_PROPERTY, ""));
    for (Peer peer : chosen()) {
      try {
        download.fetch(peer, folder(peer));
      } catch (IOException e) {
        spec.commandLine().getErr().println("error: " + e.getMessage());
        return ExitStatus.FAILED;
      }
      out.println(describe(peer));
    }
    return ExitStatus.DONE;
  }

  private List<Peer> chosen() {
    List<Peer> fetchable = Peers.all().stream().filter(p -> !p.driver().isEmpty()).toList();
    for (String name : names) {
      if (fetchable.stream().noneMatch(peer -> peer.name().equals(name))) {
        List<String> known = fetchable.stream().map(Peer::name).toList();
        throw new ParameterException(
            spec.commandLine(), "there is no driver '" + name + "' to fetch; there are " + known);
      }
    }
    return fetchable.stream()
        .filter(p -> names.isEmpty() ? !Files.exists(folder(p)) : names.contains(p.name()))
        .toList();
  }

  private static String describe(Peer peer) {
    String where =
        peer.driver().isEmpty()
            ? "on the class path"
            : Files.exists(folder(peer))
                ? folder(peer).toString()
                : "missing: nelumbo bench drivers " + peer.name();
    return String.format("%-11s %s", peer.name(), where);
  }

  private static Path folder(Peer peer) {
    return DriverFolder.path().resolve(peer.name());
  }
}
