package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that work on one pool in shared files concurrently with this process, and are killed.
 */
@Timeout(180)
class SharedFilesTest {
  private static final int WORKERS = 2;
  private static final long FIRST_STEP = 1L << 24;
  private static final String MONEY = "SELECT SUM(balance) FROM account";

  @TempDir private Path directory;
  private final List<Bank> banks = new ArrayList<>();

  private Path path() {
    return directory.resolve("pool");
  }

  private String url() {
    return "jdbc:nelumbo:shm:" + path() + "?memory=256m&lease=2s";
  }

  /** A working process. Its acknowledgements are read as they arrive. */
  private final class Bank {
    private final Process process;
    private final Thread reader;
    private final AtomicLong commits = new AtomicLong();

    /** The last acknowledged number of each worker. */
    private final ConcurrentMap<Long, Long> last = new ConcurrentHashMap<>();

    Bank() throws IOException {
      int number = banks.size();
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Xmx256m",
                  "-cp",
                  System.getProperty(
                      "surefire.test.class.path", System.getProperty("java.class.path")),
                  BankProcess.class.getName(),
                  url(),
                  Long.toString((number + 1) * FIRST_STEP),
                  Integer.toString(WORKERS),
                  "scratch" + number)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      banks.add(this);
      reader = Thread.ofPlatform().daemon().start(this::read);
    }

    private void read() {
      try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          if (line.endsWith(".")) {
            long number = Long.parseLong(line.substring(0, line.length() - 1));
            last.put(number / BankProcess.NUMBERS_PER_WORKER, number);
            commits.incrementAndGet();
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Waits until the process has made the given number of further commits. */
    void awaitCommits(long more) {
      long until = commits.get() + more;
      while (commits.get() < until) {
        assertTrue(process.isAlive(), "it has failed by itself");
        LockSupport.parkNanos(100_000);
      }
    }

    void signal(String name) throws Exception {
      String pid = Long.toString(process.pid());
      new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
    }

    /**
     * Kills the process by its handle, because {@code Process} would close its output, including
     * the unread part.
     */
    void kill() {
      process.toHandle().destroyForcibly();
    }

    void awaitEnd() throws InterruptedException {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it lives");
      reader.join();
      assertFalse(last.isEmpty());
    }

    /**
     * Checks the last hundred numbers of each worker, except for the oldest, which the next commit
     * deletes.
     */
    void checkJournal(Connection connection) throws SQLException {
      for (long number : last.values()) {
        String range = " WHERE id BETWEEN " + (number - 98) + " AND " + number;
        long wanted = Math.min(99, number % FIRST_STEP + 1);
        assertEquals(wanted, number(connection, "SELECT COUNT(*) FROM journal" + range));
      }
    }
  }

  @AfterEach
  void killAll() {
    banks.forEach(Bank::kill);
  }

  private static void checkBank(Connection connection) throws SQLException {
    assertEquals(BankProcess.ACCOUNTS * BankProcess.BALANCE, number(connection, MONEY));
    run(connection, "CHECK DATABASE");
    assertEquals(0, number(connection, "SELECT COUNT(*) FROM SYS.FINDINGS"));
  }

  private static long computeNodes(Connection connection) throws SQLException {
    return number(connection, "SELECT COUNT(*) FROM SYS.COMPUTE_NODES WHERE state = 'MEMBER'");
  }

  @Test
  void shouldContinueWhenOtherProcessesFail() throws Exception {
    try (Connection connection = DriverManager.getConnection(url())) {
      BankProcess.create(connection);
      Bank first = new Bank();
      Bank second = new Bank();
      first.awaitCommits(100);
      second.awaitCommits(100);
      assertEquals(3, computeNodes(connection));
      first.kill();
      first.awaitEnd();
      second.awaitCommits(300);
      assertEquals(BankProcess.ACCOUNTS * BankProcess.BALANCE, number(connection, MONEY));
      Bank third = new Bank();
      third.awaitCommits(100);
      second.signal("STOP");
      second.awaitEnd(); // another process kills it after missed heartbeats
      second.signal("CONT");
      third.awaitCommits(300);
      run(connection, "CREATE TABLE beside (id INT PRIMARY KEY)");
      third.kill();
      third.awaitEnd();
      run(connection, "SHUTDOWN"); // this process may be the last one, and leave without an error
    }
    try (Connection connection = DriverManager.getConnection(url())) {
      checkBank(connection);
      for (Bank each : banks) {
        each.checkJournal(connection);
      }
      run(connection, "SHUTDOWN");
    }
    assertFalse(Files.exists(directory.resolve("pool.tenants")), "nobody has it any more");
  }

  /**
   * All processes are killed at once. The next process opens the pool exclusively and finds all
   * acknowledged commits.
   */
  @Test
  void shouldRecoverWhenAllProcessesAreKilled() throws Exception {
    try (Connection connection = DriverManager.getConnection(url())) {
      BankProcess.create(connection);
      run(connection, "SHUTDOWN");
    }
    for (int round = 0; round < 2; round++) {
      Bank first = new Bank();
      Bank second = new Bank();
      first.awaitCommits(50);
      second.awaitCommits(50 + 100L * round);
      first.kill();
      second.kill();
      first.awaitEnd();
      second.awaitEnd();
      try (Connection connection = DriverManager.getConnection(url())) {
        checkBank(connection);
        first.checkJournal(connection);
        second.checkJournal(connection);
        run(connection, "SHUTDOWN");
      }
    }
  }
}
