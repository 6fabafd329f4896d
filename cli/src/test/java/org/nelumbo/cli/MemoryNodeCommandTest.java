package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.fabric.tcp.TestCertificate;
import picocli.CommandLine;

/** The memory node as a process. */
@Timeout(180)
class MemoryNodeCommandTest {
  @TempDir private Path directory;

  private record Running(Process process, String address, String metrics) {}

  private static List<String> command(String... options) {
    List<String> command = RunCache.java();
    command.addAll(List.of(NelumboCommand.class.getName(), "memory-node"));
    command.addAll(List.of(options));
    return command;
  }

  private Running start(String... options) throws IOException {
    List<String> command = command("--listen=127.0.0.1:0", "--memory=64m", "--metrics=127.0.0.1:0");
    command.add("--data=" + directory.resolve("data"));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    String line = reader.readLine();
    assertTrue(line != null && line.contains(" listens at "), line);
    String second = reader.readLine();
    assertTrue(second != null && second.startsWith("metrics are at http://"), second);
    return new Running(process, lastWord(line), lastWord(second));
  }

  private static String lastWord(String line) {
    return line.substring(line.lastIndexOf(' ') + 1);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void shouldKeepDataWhenKilled() throws Exception {
    Running first = start();
    try (Connection connection =
        DriverManager.getConnection("jdbc:nelumbo://" + first.address() + "/shop?create=true")) {
      execute(connection, "CREATE TABLE t (a INT PRIMARY KEY)");
      execute(connection, "INSERT INTO t VALUES (1), (2)");
    }
    StringWriter out = new StringWriter();
    String url = "jdbc:nelumbo://" + first.address() + "/shop";
    assertEquals(0, run(out, "status", url));
    assertTrue(out.toString().contains("bytes=67108864"), out.toString());
    try (InputStream in = URI.create(first.metrics()).toURL().openStream()) {
      String page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(page.contains("nelumbo_node_epoch 1.0"), page);
    }
    first.process().toHandle().destroyForcibly();
    first.process().waitFor();
    assertEquals(3, run(out, "status", url));
    assertTrue(out.toString().contains("is it running?"), out.toString());
    Running second = start();
    try (Connection connection =
            DriverManager.getConnection("jdbc:nelumbo://" + second.address() + "/shop");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
      assertTrue(rows.next());
      assertEquals(2, rows.getInt(1));
    } finally {
      second.process().destroy();
    }
    second.process().waitFor();
  }

  /** Returns the file that contains the memory of a durable node. */
  private static Path memoryOf(Process process) throws IOException {
    Path maps = Path.of("/proc", Long.toString(process.pid()), "maps");
    Matcher file = Pattern.compile("/dev/shm/nelumbo-[0-9]+-\\S+").matcher(Files.readString(maps));
    assertTrue(file.find(), "its memory is in no file");
    return Path.of(file.group());
  }

  @Test
  void shouldRemoveItsMemoryWhenItStopsWithoutAPartInCopies() throws Exception {
    Process first = start("--durable").process();
    Path memory = memoryOf(first);
    first.toHandle().destroyForcibly();
    first.waitFor();
    assertTrue(Files.exists(memory));
    Process second = start("--durable").process();
    assertEquals(memory, memoryOf(second));
    second.destroy();
    second.waitFor();
    assertFalse(Files.exists(memory));
  }

  @Test
  void shouldServeTlsOnlyToTrustingClients() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "EC", "ip:127.0.0.1");
    Running node =
        start("--tls-cert=" + certificate.certificate(), "--tls-key=" + certificate.key());
    try {
      String url = "jdbc:nelumbo://" + node.address() + "/shop";
      assertStatus(3, url, "it requires TLS: set tls=true");
      assertStatus(3, url + "?tls=true", "is its certificate trusted");
      assertStatus(2, url + "?tls=true&tlsTrust=/no/where", "no file /no/where");
      String trusting = url + "?tls=true&tlsTrust=" + certificate.certificate();
      assertStatus(6, trusting, "bytes=67108864");
      try (Connection connection = DriverManager.getConnection(trusting + "&create=true")) {
        execute(connection, "CREATE TABLE t (a INT PRIMARY KEY)");
        assertStatus(0, trusting, "bytes=67108864");
      }
    } finally {
      node.process().destroy();
    }
    assertTrue(node.process().waitFor(60, TimeUnit.SECONDS));
  }

  private static void assertStatus(int expected, String url, String said) {
    StringWriter output = new StringWriter();
    int status = run(output, "status", url);
    assertTrue(output.toString().contains(said), output.toString());
    assertEquals(expected, status, output.toString());
  }

  @Test
  void shouldRefuseHalfOfACertificate() throws IOException {
    StringWriter err = new StringWriter();
    assertEquals(2, run(err, "memory-node", "--listen=127.0.0.1:0", "--tls-key=key.pem"));
    assertTrue(err.toString().contains("needs both --tls-cert and --tls-key"), err.toString());
    Path wrong = Files.writeString(directory.resolve("wrong.pem"), "no certificate");
    String option = "--tls-cert=" + wrong;
    assertEquals(3, run(err, "memory-node", "--listen=127.0.0.1:0", option, "--tls-key=" + wrong));
    assertTrue(err.toString().contains(wrong.toString()), err.toString());
  }

  private static int run(StringWriter output, String... arguments) {
    CommandLine line = NelumboCommand.commandLine();
    line.setErr(new PrintWriter(output));
    line.setOut(new PrintWriter(output));
    return line.execute(arguments);
  }

  @Test
  void shouldReportInvalidOptionsAndAddresses() {
    StringWriter err = new StringWriter();
    assertEquals(2, run(err, "memory-node", "--listen", "nowhere:at:all"));
    assertTrue(err.toString().contains("write HOST:PORT"), err.toString());
    assertEquals(2, run(err, "memory-node", "--memory", "much"));
    assertTrue(err.toString().contains("not a size"), err.toString());
    assertEquals(
        3, run(err, "memory-node", "--listen", "192.0.2.1:1", "--memory", "1m", "--insecure"));
    assertTrue(err.toString().contains("cannot run a memory node"), err.toString());
    assertTrue(err.toString().contains("or an address that this machine has"), err.toString());
  }

  @Test
  void shouldRequireSecretAndTlsBeyondLoopback() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "EC", "ip:127.0.0.1");
    Path secret = Files.writeString(directory.resolve("secret"), "long enough a secret\n");
    String all = "--listen=0.0.0.0:0";
    String small = "--memory=1m";
    String withSecret = "--secret-file=" + secret;
    String withCertificate = "--tls-cert=" + certificate.certificate();
    String withKey = "--tls-key=" + certificate.key();
    assertRefused(2, "there is no secret (--secret-file", all, small);
    assertRefused(2, "and no encryption (--tls-cert", all, small);
    assertRefused(2, "or use --insecure", all, small);
    assertRefused(2, "there is no encryption (--tls-cert", all, small, withSecret);
    assertRefused(2, "there is no secret", all, small, withCertificate, withKey);
    assertRefused(2, "--client-ca is for TLS", all, small, "--client-ca=" + secret);
    String away = "--listen=192.0.2.1:1";
    assertRefused(3, "that this machine has", away, small, "--insecure");
    assertRefused(3, "that this machine has", away, small, withSecret, withCertificate, withKey);
    assertRefused(
        3,
        "that this machine has",
        away,
        small,
        "--client-ca=" + certificate.certificate(),
        withCertificate,
        withKey);
  }

  @Test
  void shouldRefuseSecretsThatAreNone() throws Exception {
    Path empty = Files.writeString(directory.resolve("empty"), "\n \n");
    assertRefused(3, "the secret file " + empty + " has no secrets", "--secret-file=" + empty);
    assertRefused(3, "there is no file /no/where", "--secret-file=/no/where");
    Path weak = Files.writeString(directory.resolve("weak"), "sesame");
    assertRefused(
        3, "fewer than 16 characters", "--secret-file=" + weak, "--data=" + weak, "--memory=1m");
    Process process =
        withEmptySecret(new ProcessBuilder(command("--listen=127.0.0.1:0", "--memory=1m")));
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(2, process.waitFor(), said);
    assertTrue(said.contains("NELUMBO_SECRET is set but empty"), said);
  }

  private static Process withEmptySecret(ProcessBuilder builder) throws IOException {
    builder.environment().put("NELUMBO_SECRET", "");
    return builder.start();
  }

  @Test
  void shouldRefuseSizesAndLeasesThatCannotWork() {
    assertRefused(2, "from 1m to 1t of memory, not 4k", "--memory=4k");
    assertRefused(2, "from 1m to 1t of memory, not 2t", "--memory=2t");
    assertRefused(2, "from 1m to 1t of memory, not 99999999t", "--memory=99999999t");
    assertRefused(2, "--lease is at least 3 seconds", "--lease=0");
    assertRefused(2, "a witness has no data", "--witness", "--memory=1g");
    assertRefused(2, "a witness has no data", "--witness", "--rdma=mlx5_0");
    assertRefused(2, "is not an RDMA device; write DEVICE", "--rdma=mlx5_0:first");
  }

  /** Runs without libibverbs, without devices, and with other devices. */
  @Test
  void shouldRejectUnknownRdmaDevice() {
    assertRefused(3, "RDMA", "--listen=127.0.0.1:0", "--memory=1m", "--rdma=nosuchdevice");
  }

  @Test
  void shouldRejectMemoryBeyondMachineLimit() {
    assertRefused(3, "and the machine or the cgroup of this process has", "--memory=1t");
    assertRefused(3, "choose a smaller --memory", "--memory=1t", "--preallocate=always");
    assertRefused(2, "expected one of", "--preallocate=sometimes");
    String away = "--listen=192.0.2.1:1";
    String insecure = "--insecure";
    assertRefused(3, "(--listen)", away, insecure, "--memory=1t", "--preallocate=never");
    assertRefused(3, "(--listen)", away, insecure, "--memory=1m", "--preallocate=always");
  }

  @Test
  void shouldReportUnusableAddressOrDirectory() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      String said = address + ": choose another port";
      assertRefused(3, said, "--listen=" + address, "--memory=1m");
      String metrics = "--metrics=" + address;
      assertRefused(3, "(--metrics)", "--listen=127.0.0.1:0", metrics, "--memory=1m");
    }
    Path file = Files.writeString(directory.resolve("file"), "no memory");
    assertRefused(3, "is a file: name a directory", "--memory=1m", "--data=" + file);
    Path below = file.resolve("below");
    assertRefused(3, "cannot create the directory --data " + below, "--data=" + below);
    Files.move(file, Files.createDirectory(directory.resolve("data")).resolve("node"));
    assertRefused(
        3, "is not a Nelumbo memory pool", "--memory=1m", "--data=" + directory.resolve("data"));
  }

  private static void assertRefused(int status, String said, String... options) {
    StringWriter output = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of("memory-node"));
    arguments.addAll(List.of(options));
    assertEquals(status, run(output, arguments.toArray(String[]::new)), output.toString());
    assertTrue(output.toString().contains(said), output.toString());
  }
}
