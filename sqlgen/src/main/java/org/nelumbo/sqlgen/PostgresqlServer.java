package org.nelumbo.sqlgen;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of this machine's package, with an empty cluster in a temporary directory and
 * on a free port of the loopback address. Closing it, or the end of the JVM, stops the server and
 * deletes the cluster.
 */
final class PostgresqlServer implements AutoCloseable {
  private static final Path PACKAGES = Path.of("/usr/lib/postgresql");
  private static final String USER = "postgres";

  private final Path programs;
  private final Path directory;
  private final int port;

  private PostgresqlServer(Path programs, Path directory, int port) {
    this.programs = programs;
    this.directory = directory;
    this.port = port;
  }

  /**
   * Creates a cluster and starts its server. The collation is C, which compares texts like Nelumbo;
   * fsync is off.
   *
   * @throws IOException if PostgreSQL is not installed, or its server does not start
   */
  static PostgresqlServer start() throws IOException, InterruptedException {
    Path programs = programs();
    Path directory = Files.createTempDirectory("nelumbo-postgresql");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    PostgresqlServer server = new PostgresqlServer(programs, directory, port);
    Runtime.getRuntime().addShutdownHook(new Thread(server::closeAtExit, "nelumbo-postgresql"));
    if (isRoot()) {
      run(List.of("chown", USER, directory.toString()));
    }
    Path cluster = directory.resolve("cluster");
    server.program("initdb", "-D", cluster, "-U", USER, "-A", "trust", "--locale=C", "-E", "UTF8");
    server.program(
        "pg_ctl",
        "-D",
        cluster,
        "-w",
        "-l",
        directory.resolve("log"),
        "-o",
        "-p " + port + " -h 127.0.0.1 -k " + directory + " -c fsync=off",
        "start");
    return server;
  }

  private static Path programs() throws IOException {
    if (Files.isDirectory(PACKAGES)) {
      try (Stream<Path> versions = Files.list(PACKAGES)) {
        List<Path> found =
            versions
                .map(version -> version.resolve("bin"))
                .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                .sorted()
                .toList();
        if (!found.isEmpty()) {
          return found.getLast();
        }
      }
    }
    throw new IOException(
        "there is no PostgreSQL below "
            + PACKAGES
            + "; install the package postgresql, or name a server with --peer");
  }

  /** Returns the pgjdbc URL of the server's only database. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
  }

  private void program(String name, Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (isRoot()) { // the server refuses to run as root
      command.addAll(List.of("runuser", "-u", USER, "--"));
    }
    command.add(programs.resolve(name).toString());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    run(command);
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Path log = Files.createTempFile("nelumbo-postgresql", ".log");
    try {
      int status =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start()
              .waitFor();
      if (status != 0) {
        throw new IOException(
            String.join(" ", command)
                + " ended with status "
                + status
                + ": "
                + Files.readString(log));
      }
    } finally {
      Files.delete(log);
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private void closeAtExit() {
    try {
      close();
    } catch (IOException e) {
      System.err.println("PostgreSQL's directory " + directory + " is left: " + e.getMessage());
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    if (Files.exists(directory.resolve("cluster/postmaster.pid"))) {
      try {
        program("pg_ctl", "-D", directory.resolve("cluster"), "-m", "immediate", "-w", "stop");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
