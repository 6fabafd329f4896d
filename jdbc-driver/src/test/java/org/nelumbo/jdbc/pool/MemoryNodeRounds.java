package org.nelumbo.jdbc.pool;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Kills memory nodes with signal 9 while a bank works on them, and restarts them empty. The bank
 * continues, every acknowledged commit is present, and the sum of all balances is unchanged. At the
 * end another process attaches while one node is down, and finds the same state.
 *
 * <p>Main: rounds, seed; {@code timeline} as third argument prints the commits of each 10 ms around
 * the first kill and the return of the node.
 */
final class MemoryNodeRounds implements AutoCloseable {
  private static final int NODES = 3;
  private static final int WORKERS = 3;
  private static final long NODE_BYTES = 64L << 20;
  private static final long TICK_NANOS = 10_000_000L;
  private static final long WAIT_NANOS = 60_000_000_000L;

  private final List<MemoryNodeProcess> nodes = new ArrayList<>();
  private final List<Thread> workers = new ArrayList<>();
  private final AtomicLong[] acknowledged = new AtomicLong[WORKERS];
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Random random;
  private volatile boolean stopped;

  MemoryNodeRounds(long seed) throws IOException {
    random = new Random(seed);
    for (int node = 0; node < NODES; node++) {
      nodes.add(new MemoryNodeProcess(NODE_BYTES));
    }
  }

  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
    System.out.println("seed=" + seed);
    try (MemoryNodeRounds bank = new MemoryNodeRounds(seed)) {
      bank.begin();
      if (arguments.length > 2) {
        bank.timeline();
      }
      for (int round = 1; round <= rounds; round++) {
        long gap = bank.round();
        System.out.println(
            "RESULT round="
                + round
                + " acknowledged="
                + bank.acknowledged()
                + " longest_pause_ms="
                + TimeUnit.NANOSECONDS.toMillis(gap));
      }
      long found = bank.end();
      System.out.println("RESULT acknowledged=" + bank.acknowledged() + " found=" + found);
    }
  }

  private String url() {
    return nodes.stream()
        .map(node -> node.address().toString())
        .collect(Collectors.joining(",", "jdbc:nelumbo://", "/bank?create=true"));
  }

  /** Creates the bank and starts the workers. */
  void begin() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url())) {
      BankProcess.create(connection);
    }
    for (int worker = 0; worker < WORKERS; worker++) {
      int me = worker;
      acknowledged[worker] = new AtomicLong();
      Thread thread = new Thread(() -> work(me));
      thread.start();
      workers.add(thread);
    }
    awaitCommits(10);
  }

  private void work(int worker) {
    Random mine = new Random(worker);
    try (Connection connection = DriverManager.getConnection(url());
        PreparedStatement move =
            connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
        PreparedStatement enter =
            connection.prepareStatement("INSERT INTO journal VALUES (?, ?, ?, ?, 'moved')")) {
      connection.setAutoCommit(false);
      while (!stopped) {
        try {
          transfer(move, enter, mine, worker);
          connection.commit();
          acknowledged[worker].incrementAndGet();
        } catch (SQLException e) {
          connection.rollback();
          if (!"40001".equals(e.getSQLState())) {
            throw e;
          }
        }
      }
    } catch (SQLException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private void transfer(PreparedStatement move, PreparedStatement enter, Random mine, int worker)
      throws SQLException {
    long source = mine.nextInt(BankProcess.ACCOUNTS);
    long target = (source + 1 + mine.nextInt(BankProcess.ACCOUNTS - 1)) % BankProcess.ACCOUNTS;
    long amount = mine.nextInt(50);
    move.setLong(1, -amount);
    move.setLong(2, source);
    move.executeUpdate();
    move.setLong(1, amount);
    move.setLong(2, target);
    move.executeUpdate();
    enter.setLong(1, worker * BankProcess.NUMBERS_PER_WORKER + acknowledged[worker].get());
    enter.setLong(2, source);
    enter.setLong(3, target);
    enter.setLong(4, amount);
    enter.executeUpdate();
  }

  /** Returns the number of commits acknowledged so far. */
  long acknowledged() {
    long sum = 0;
    for (AtomicLong each : acknowledged) {
      sum += each.get();
    }
    return sum;
  }

  private void awaitCommits(long more) {
    long wanted = acknowledged() + more;
    await("the bank stands still", () -> acknowledged() >= wanted);
  }

  private interface Condition {
    boolean holds();
  }

  private void await(String otherwise, Condition condition) {
    long until = System.nanoTime() + WAIT_NANOS;
    while (!condition.holds()) {
      if (failure.get() != null) {
        throw new AssertionError("a worker failed", failure.get());
      }
      if (System.nanoTime() > until) {
        throw new AssertionError(otherwise);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private boolean isLive(int node) {
    try {
      String status = TcpFabric.status(nodes.get(node).address(), node, TcpOptions.of("rounds"));
      return status.contains("role=live");
    } catch (PoolOpenException e) {
      return false;
    }
  }

  /** Kills a node and restarts it. Returns the longest time without a commit, in nanoseconds. */
  long round() throws Exception {
    int node = random.nextInt(NODES);
    long before = acknowledged();
    long killed = System.nanoTime();
    nodes.get(node).kill();
    awaitCommits(1);
    long pause = System.nanoTime() - killed;
    awaitCommits(50 + random.nextInt(200));
    nodes.get(node).start();
    await("the node is not filled", () -> isLive(node));
    awaitCommits(20);
    if (acknowledged() <= before) {
      throw new AssertionError("nothing was committed");
    }
    return pause;
  }

  /** Prints commits by 10 ms, from one second before a kill until after the node's return. */
  private void timeline() throws Exception {
    List<String> events = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    boolean[] over = new boolean[1];
    Thread sampler = new Thread(() -> sample(counts, over));
    sampler.start();
    TimeUnit.SECONDS.sleep(2);
    events.add("kill at tick " + ticks(counts));
    nodes.get(0).kill();
    TimeUnit.SECONDS.sleep(2);
    events.add("start at tick " + ticks(counts));
    nodes.get(0).start();
    await("the node is not filled", () -> isLive(0));
    events.add("live at tick " + ticks(counts));
    TimeUnit.SECONDS.sleep(1);
    synchronized (counts) {
      over[0] = true;
    }
    sampler.join();
    events.forEach(System.out::println);
    for (int tick = 1; tick < counts.size(); tick++) {
      System.out.println("TICK " + tick * 10 + " ms " + (counts.get(tick) - counts.get(tick - 1)));
    }
  }

  private static int ticks(List<Long> counts) {
    synchronized (counts) {
      return counts.size();
    }
  }

  private void sample(List<Long> counts, boolean[] over) {
    for (long next = System.nanoTime(); ; next += TICK_NANOS) {
      while (System.nanoTime() < next) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
      synchronized (counts) {
        counts.add(acknowledged());
        if (over[0]) {
          return;
        }
      }
    }
  }

  /**
   * Stops the workers and checks the bank twice, the second time with one node down. Returns the
   * number of commits found.
   */
  long end() throws Exception {
    stopped = true;
    for (Thread worker : workers) {
      worker.join();
    }
    if (failure.get() != null) {
      throw new AssertionError("a worker failed", failure.get());
    }
    check();
    nodes.get(random.nextInt(NODES)).kill();
    return check();
  }

  private long check() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url())) {
      long money = number(connection, "SELECT SUM(balance) FROM account");
      if (money != BankProcess.ACCOUNTS * BankProcess.BALANCE) {
        throw new AssertionError("money was created or lost: " + money);
      }
      long found = 0;
      for (int worker = 0; worker < WORKERS; worker++) {
        found += checkJournal(connection, worker);
      }
      CrashRounds.shutDown(connection);
      return found;
    }
  }

  /** Checks that the journal of each worker has exactly its acknowledged numbers, from 0 on. */
  private long checkJournal(Connection connection, int worker) throws SQLException {
    long first = worker * BankProcess.NUMBERS_PER_WORKER;
    long count =
        number(
            connection,
            "SELECT COUNT(*) FROM journal WHERE id >= "
                + first
                + " AND id < "
                + (first + BankProcess.NUMBERS_PER_WORKER));
    if (count != acknowledged[worker].get()) {
      throw new AssertionError(
          "worker " + worker + " was told of " + acknowledged[worker] + " commits, has " + count);
    }
    return count;
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public void close() {
    stopped = true;
    nodes.forEach(MemoryNodeProcess::destroy);
  }
}
