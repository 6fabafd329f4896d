package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.error.UnexpectedErrors;

/** Several compute nodes on one pool, over real connections to its memory nodes. */
@Timeout(60)
class SharedMemoryNodesTest {
  private static final int ACCOUNTS = 20;
  private static final int TRANSFERS = 150;

  /** Number of times that a member joins and leaves before its memory is measured. */
  private static final int WARM_UP = 10;

  /** Number of times that a member joins and leaves while its memory is measured. */
  private static final int ROUNDS = 40;

  /**
   * A lease so long that tests never wait for its end: the end of a connection reveals a failure
   * earlier.
   */
  private static final long LEASE_NANOS = 100_000_000_000L;

  /** Errors of statements when the pool is lost. */
  static final Set<ErrorCode> LOST =
      Set.of(
          ErrorCode.CONNECTION_LOST,
          ErrorCode.CONNECTION_CLOSED,
          ErrorCode.SHUT_DOWN,
          ErrorCode.OUTCOME_UNKNOWN);

  final List<MemoryNode> memory = new ArrayList<>();
  final List<LocalDatabase> databases = new CopyOnWriteArrayList<>();
  final ExecutorService clients = Executors.newCachedThreadPool();

  /** Returns the number of memory nodes. */
  int memoryNodes() {
    return 2;
  }

  /** Returns the number of copies of all data. */
  int copies() {
    return 1;
  }

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < memoryNodes(); i++) {
      memory.add(started(new NodeAddress("127.0.0.1", 0)));
    }
  }

  static MemoryNode started(NodeAddress address) throws IOException {
    MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(64 << 20),
            address,
            MemoryNode.Options.DEFAULT.withLeaseNanos(LEASE_NANOS));
    node.start();
    return node;
  }

  @AfterEach
  void stop() {
    clients.shutdownNow();
    databases.forEach(LocalDatabase::close);
    memory.forEach(MemoryNode::close);
  }

  final LocalDatabase open() {
    LocalDatabase database =
        DatabaseOpener.openRemote(
            DatabaseOptions.defaults(),
            memory.stream().map(node -> node.address().toString()).toList(),
            Secrets.NONE,
            null,
            null,
            copies(),
            List.of());
    databases.add(database);
    return database;
  }

  static void load(LocalDatabase database) {
    try (Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE account (id INT PRIMARY KEY, balance INT NOT NULL)");
      for (int id = 0; id < ACCOUNTS; id++) {
        sql.update("INSERT INTO account VALUES (?, 100)", id);
      }
    }
  }

  static void check(LocalDatabase database) {
    try (Sql sql = new Sql(database)) {
      assertEquals(
          List.of(ACCOUNTS + " " + ACCOUNTS * 100),
          sql.query("SELECT COUNT(*), SUM(balance) FROM account"));
    }
  }

  /** Runs transfers; a transfer that loses a conflict is retried. Returns the number of retries. */
  static int transfer(LocalDatabase database, int seed, int transfers) {
    int again = 0;
    try (Sql sql = Sql.transactions(database)) {
      for (int i = 0; i < transfers; i++) {
        int from = (seed + i * 7) % ACCOUNTS;
        int to = (from + 1 + i % (ACCOUNTS - 1)) % ACCOUNTS;
        boolean isDone = false;
        while (!isDone) {
          try {
            sql.update("UPDATE account SET balance = balance - 1 WHERE id = ?", from);
            sql.update("UPDATE account SET balance = balance + 1 WHERE id = ?", to);
            sql.session().commit();
            isDone = true;
          } catch (NelumboException e) {
            if (!e.code().isRetryable()) {
              throw e;
            }
            sql.session().rollback();
            again++;
          }
        }
      }
    }
    return again;
  }

  private static void await(List<Future<Integer>> running)
      throws InterruptedException, ExecutionException {
    for (Future<Integer> each : running) {
      each.get();
    }
  }

  @Test
  void shouldAdmitMembersDuringTransactions() throws Exception {
    LocalDatabase first = open();
    load(first);
    AtomicBoolean isOver = new AtomicBoolean();
    Future<Integer> working =
        clients.submit(
            () -> {
              int again = 0;
              for (int seed = 1; !isOver.get(); seed++) {
                again += transfer(first, seed, 5);
              }
              return again;
            });
    LocalDatabase second = open();
    LocalDatabase third = open();
    assertTrue(first.engine().isShared());
    List<Future<Integer>> running = new ArrayList<>();
    for (LocalDatabase each : List.of(second, third)) {
      running.add(clients.submit(() -> transfer(each, 3, TRANSFERS)));
      check(each);
    }
    await(running);
    isOver.set(true);
    working.get();
    databases.forEach(SharedMemoryNodesTest::check);
  }

  /**
   * A member that joins adopts the memory that former members have left. It may take new memory if
   * it joins before the others have detected that another member has left.
   */
  @Test
  void shouldReuseMemoryOfFormerMembers() {
    LocalDatabase staying = open();
    load(staying);
    joinAndLeave(staying, WARM_UP);
    long taken = taken(memory);
    joinAndLeave(staying, ROUNDS);
    long more = taken(memory) - taken;
    long each = (long) copies() * memoryNodes() * (64 << 10);
    assertTrue(more <= 2 * each, () -> "bytes=" + more);
  }

  /** Opens and closes another member repeatedly; both members transfer in each round. */
  private void joinAndLeave(LocalDatabase staying, int rounds) {
    for (int round = 0; round < rounds; round++) {
      LocalDatabase leaving = open();
      transfer(leaving, round, 10);
      check(leaving);
      leaving.close();
      databases.remove(leaving);
      transfer(staying, round, 10);
      check(staying);
    }
  }

  /** A single read by key does not read the commit vector, unless it meets a newer version. */
  @Test
  void shouldReadByKeyWhatAnotherMemberHasAcknowledged() {
    LocalDatabase first = open();
    LocalDatabase second = open();
    try (Sql here = new Sql(first);
        Sql there = new Sql(second)) {
      here.run(
          "CREATE TABLE counter (id INT PRIMARY KEY, n INT)", "INSERT INTO counter VALUES (1, 0)");
      for (int n = 1; n <= 300; n++) {
        Sql writer = n % 3 == 0 ? there : here;
        assertEquals(1, writer.update("UPDATE counter SET n = ? WHERE id = 1", n));
        for (Sql reader : List.of(there, here)) {
          assertEquals(List.of("" + n), reader.query("SELECT n FROM counter WHERE id = ?", 1));
          assertEquals(List.of(), reader.query("SELECT n FROM counter WHERE id = ?", -n));
        }
      }
      there.run("DELETE FROM counter WHERE id = 1");
      assertEquals(List.of(), here.query("SELECT n FROM counter WHERE id = 1"));
    }
  }

  /** All compute nodes report the same usage of the pool's memory. */
  @Test
  void shouldReportSameMemoryUsageOnAllMembers() {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    transfer(second, 1, 10);
    awaitEqualUsage(first, second);
    long before = Long.parseLong(taken(first).getFirst());
    try (Sql sql = new Sql(second)) {
      sql.run("CREATE TABLE large (a INT PRIMARY KEY, b VARCHAR(1000))");
      for (int i = 0; i < 1000; i++) {
        sql.run("INSERT INTO large VALUES (" + i + ", '" + "x".repeat(1000) + "')");
      }
    }
    while (Long.parseLong(taken(first).getFirst()) < before + 1_000_000) {
      LockSupport.parkNanos(100_000);
    }
    awaitEqualUsage(first, second);
  }

  /** Waits until two compute nodes report the same; they refresh it every few milliseconds. */
  private static void awaitEqualUsage(LocalDatabase first, LocalDatabase second) {
    while (!taken(first).equals(taken(second))) {
      LockSupport.parkNanos(100_000);
    }
  }

  private static List<String> taken(LocalDatabase database) {
    try (Sql sql = new Sql(database)) {
      return sql.query("SELECT SUM(taken_bytes) FROM sys.memory_nodes");
    }
  }

  private static long taken(List<MemoryNode> memory) {
    return memory.stream().mapToLong(MemoryNode::takenBytes).sum();
  }

  @Test
  void shouldKeepDataAsMembersLeaveAndJoin() {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    try (Sql sql = new Sql(second)) {
      sql.run("CREATE TABLE t (a INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, b INT)");
      sql.run("INSERT INTO t (b) VALUES (1)", "INSERT INTO t (b) VALUES (2)");
    }
    try (Sql sql = new Sql(first)) {
      sql.run("INSERT INTO t (b) VALUES (3)");
      assertEquals(List.of("1", "2", "3"), sql.query("SELECT b FROM t ORDER BY b"));
    }
    first.close();
    transfer(second, 1, 10);
    check(second);
    LocalDatabase third = open();
    second.close();
    transfer(third, 2, 10);
    third.close();
    LocalDatabase later = open();
    check(later);
    try (Sql sql = new Sql(later)) {
      assertEquals(List.of("3"), sql.query("SELECT COUNT(*) FROM t"));
    }
  }

  /**
   * The process of the stopped member is alive and has closed nothing, but no thread of it works on
   * the pool.
   */
  @Test
  void shouldContinueWithoutMemberWhoseEngineStopped() {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    transfer(second, 5, 10);
    try (Sql half = Sql.transactions(first)) {
      half.update("UPDATE account SET balance = balance - 50 WHERE id = ?", 3);
      first.engine().stop(new IllegalStateException("something is wrong"));
    }
    try (Sql sql = new Sql(second)) {
      sql.run("SET LOCK_TIMEOUT = 30000");
      sql.update("UPDATE account SET balance = balance WHERE id = ?", 3);
    }
    check(second);
    transfer(second, 7, 10);
    check(open());
  }

  /**
   * The engine stops and releases the pool while the change waits for a transaction at another
   * member.
   */
  @Test
  void shouldEndASchemaChangeAsLostWhenTheEngineStops() throws Exception {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    try (Sql half = Sql.transactions(first)) {
      half.update("UPDATE account SET balance = balance - 50 WHERE id = ?", 3);
      Future<?> change =
          clients.submit(
              () -> {
                try (Sql sql = new Sql(second)) {
                  sql.run("ALTER TABLE account ADD COLUMN name VARCHAR(10)");
                }
              });
      Environment environment = new SystemEnvironment();
      for (int attempt = 0; !second.catalogOfPool().changeLock().isLocked(); attempt++) {
        assertFalse(change.isDone());
        environment.backoff(attempt);
      }
      second.engine().stop(new IllegalStateException("something is wrong"));
      assertFalse(second.isOpen());
      Throwable why = assertThrows(ExecutionException.class, change::get).getCause();
      assertTrue(LOST.contains(UnexpectedErrors.of(why).code()), why.toString());
    }
    transfer(first, 5, 10);
    check(first);
  }
}
