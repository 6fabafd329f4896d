package org.nelumbo.soak.rounds;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.nelumbo.soak.link.FaultyLink;
import org.nelumbo.soak.process.SmallDisk;

/**
 * Memory nodes and clients with a link between each pair, and a fault in each round. There are
 * three memory nodes: either each has a copy, or there is one copy, which is kept in files and
 * shared by the clients. Alternatively there are only clients, and a pool in shared files. For one
 * thread.
 */
final class ClusterRounds implements AutoCloseable {
  static final int NODES = 3;
  private static final int SESSIONS = 3;
  private static final int COMMITS_BEFORE = 60;
  private static final int COMMITS_AFTER = 30;
  private static final long WAIT_SECONDS = 120;
  private static final String TEMP_BYTES = "4m";

  private final Random random;
  private final long seed;
  private final List<Fault> faults;
  private final File errors;
  private final List<Node> nodes = new ArrayList<>();
  private final Pool pool;
  private final FaultyLink[][] links;
  private final Client[] clients;
  private final List<SmallDisk> disks = new ArrayList<>();
  private final List<Path> directories = new ArrayList<>();

  /** File system of the clients' temporary files; null if none could be mounted. */
  private final SmallDisk temp;

  private final RoundFaults injector;
  private final Map<Integer, RoundRecord> records = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();

  /** Null if there are memory nodes. */
  private String filesUrl;

  private int nextSession = 1;
  private int round;
  private Client.Work work = Client.Work.NONE;

  /**
   * Starts the processes.
   *
   * @param memory size of each memory node, in the syntax of its command
   * @param clientCount number of clients, at least two
   * @param pool location and durability of the pool
   * @param faults faults to draw from
   * @param errors file for the error output of all processes
   */
  ClusterRounds(
      long seed, String memory, int clientCount, Pool pool, List<Fault> faults, File errors)
      throws IOException, InterruptedException {
    this.pool = pool;
    this.links = new FaultyLink[clientCount][nodeCount()];
    this.clients = new Client[clientCount];
    this.seed = seed;
    this.random = new Random(seed);
    this.faults = List.copyOf(faults);
    this.errors = errors;
    this.temp = mount(TEMP_BYTES);
    this.injector = new RoundFaults(random, nodes, links, clients, temp, this::restart);
    try {
      start(memory);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Returns null if mounting is not permitted. */
  private SmallDisk mount(String size) throws IOException, InterruptedException {
    SmallDisk disk = SmallDisk.mount(size);
    if (disk != null) {
      disks.add(disk);
    }
    return disk;
  }

  private int nodeCount() {
    return pool == Pool.FILES ? 0 : NODES;
  }

  private void start(String memory) throws IOException, InterruptedException {
    if (pool == Pool.FILES) {
      filesUrl =
          "jdbc:nelumbo:shm:"
              + directory().resolve("pool")
              + "?memory="
              + memory
              + "&lease="
              + Node.LEASE_SECONDS
              + "s";
    }
    for (int node = 0; node < nodeCount(); node++) {
      boolean isDurable = pool == Pool.DURABLE;
      boolean isFilled = node == RoundFaults.NODE_WITH_DATA && !isDurable;
      SmallDisk disk = isFilled ? mount(memory) : null;
      Path data = pool == Pool.COPIES ? null : directory();
      nodes.add(new Node(node, memory, disk, data, isDurable, errors));
      for (int client = 0; client < clients.length; client++) {
        links[client][node] = new FaultyLink(nodes.get(node).address());
      }
    }
    records.put(0, new RoundRecord(0));
    start(0);
    clients[0].process().say("create");
    await("no tables", () -> clients[0].hasCreated());
    for (int client = 1; client < clients.length; client++) {
      start(client);
    }
  }

  /** Creates a directory that is deleted with this object. */
  private Path directory() throws IOException {
    Path directory = Files.createTempDirectory("nelumbo-soak-node");
    directories.add(directory);
    return directory;
  }

  /** Returns the faults that this machine does not allow; rounds draw no fault instead. */
  List<Fault> impossible() {
    List<Fault> impossible = new ArrayList<>(faults);
    impossible.removeIf(injector::isPossible);
    return impossible;
  }

  private List<String> jvm() {
    List<String> options = new ArrayList<>(List.of("-Xmx128m"));
    if (temp != null) {
      options.add("-Dnelumbo.tempDir=" + temp.directory());
    }
    return options;
  }

  private String url(int client) {
    if (pool == Pool.FILES) {
      return filesUrl;
    }
    StringJoiner hosts =
        new StringJoiner(
            ",", "jdbc:nelumbo://", "/rounds" + (pool == Pool.SHARED ? "?replicas=1" : ""));
    for (FaultyLink link : links[client]) {
      hosts.add("127.0.0.1:" + link.port());
    }
    return hosts.toString();
  }

  private void start(int client) throws IOException {
    synchronized (records) {
      clients[client] =
          new Client(
              client, nextSession, SESSIONS, url(client), seed, jvm(), errors, records, wrong);
    }
    nextSession += SESSIONS;
    clients[client].process().say("round " + round);
  }

  /**
   * Runs one round: work, a fault, more work, and checks.
   *
   * @throws RoundFailed if a check fails
   */
  RoundResult round() throws IOException, InterruptedException {
    Fault drawn = faults.get(random.nextInt(faults.size()));
    Fault fault = injector.isPossible(drawn) ? drawn : Fault.NONE;
    int node = random.nextInt(NODES);
    int client = random.nextInt(clients.length);
    long began = System.nanoTime();
    synchronized (records) {
      round++;
      records.put(round, new RoundRecord(round));
    }
    String what =
        "round " + round + " (" + fault.word() + " node " + node + " client " + client + ")";
    sayToAll("round " + round);
    awaitCommits(what, COMMITS_BEFORE);
    injector.begin(fault, node, client);
    TimeUnit.MILLISECONDS.sleep(200 + random.nextLong(RoundFaults.MILLIS_MAX));
    injector.end();
    awaitCommits(what, COMMITS_AFTER);
    awaitLive(what);
    if (pool == Pool.FILES) {
      restartKilled();
    }
    return check(what, fault, began);
  }

  /** On a busy machine a client may miss its heartbeats, and the other clients kill it. */
  private void restartKilled() throws IOException {
    for (int client = 0; client < clients.length; client++) {
      if (!clients[client].process().isAlive()) {
        restart(client);
      }
    }
  }

  private void sayToAll(String command) {
    for (Client each : clients) {
      each.process().say(command);
    }
  }

  private void restart(int client) throws IOException {
    work = work.plus(clients[client].work());
    clients[client].ended();
    start(client);
  }

  private void awaitCommits(String what, long more) throws InterruptedException {
    RoundRecord record = records.get(round);
    long wanted = record.committed() + more;
    await(what + ": nothing is committed", () -> record.committed() >= wanted);
  }

  private void await(String otherwise, BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    synchronized (records) {
      while (!condition.getAsBoolean() && System.nanoTime() < until) {
        if (!wrong.isEmpty()) {
          throw new RoundFailed(wrong);
        }
        records.wait(20);
      }
      if (condition.getAsBoolean()) {
        return;
      }
    }
    dumpThreads();
    throw new RoundFailed(List.of(otherwise));
  }

  private void awaitLive(String what) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    for (Node node : nodes) {
      while (!node.isLive()) {
        if (System.nanoTime() > until) {
          dumpThreads();
          throw new RoundFailed(List.of(what + ": a memory node does not restart"));
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  private void dumpThreads() throws InterruptedException {
    try {
      for (Client client : clients) {
        client.process().dumpThreads(errors);
      }
      for (Node node : nodes) {
        node.process().dumpThreads(errors);
      }
    } catch (IOException e) {
      wrong.add("no stack traces: " + e.getMessage());
    }
  }

  private RoundResult check(String what, Fault fault, long began) throws InterruptedException {
    int ended = round;
    synchronized (records) {
      round++;
      records.put(round, new RoundRecord(round));
    }
    sayToAll("round " + round);
    await(
        what + ": sessions hang",
        () -> Arrays.stream(clients).allMatch(each -> each.isDone(ended)));
    Client.Check seen = look(what, ended);
    RoundRecord record;
    synchronized (records) {
      record = records.remove(ended);
      wrong.addAll(record.check(seen.money(), seen.journal()));
      if (!wrong.isEmpty()) {
        throw new RoundFailed(wrong);
      }
    }
    Client.Work done = work;
    for (Client each : clients) {
      done = done.plus(each.work());
    }
    return new RoundResult(
        fault,
        record.committed(),
        record.aborted(),
        record.unknown(),
        record.acknowledged(),
        done,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
  }

  private Client.Check look(String what, int ended) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (System.nanoTime() < until) {
      synchronized (records) {
        Arrays.stream(clients).forEach(each -> each.askFor(ended));
      }
      sayToAll("check " + ended);
      await(
          what + ": no client checks the data",
          () ->
              Arrays.stream(clients)
                      .allMatch(each -> each.check().isAnswered() || !each.process().isAlive())
                  || Arrays.stream(clients).anyMatch(ClusterRounds::isSeen));
      for (Client each : clients) {
        if (isSeen(each)) {
          return each.check();
        }
      }
    }
    throw new RoundFailed(List.of(what + ": no client can open the pool"));
  }

  private static boolean isSeen(Client client) {
    return !client.check().failed();
  }

  /** Location and durability of the pool. */
  enum Pool {
    /** Three copies, in memory. */
    COPIES,
    /** One copy, in files. */
    SHARED,
    /** Three copies, in memory, and three logs. */
    DURABLE,
    /** No memory nodes: clients map the pool's files. */
    FILES
  }

  /** The counts of a round. */
  record RoundResult(
      Fault fault,
      long committed,
      long aborted,
      long unknown,
      int acknowledged,
      Client.Work work,
      long millis) {}

  /** A failed check. */
  static final class RoundFailed extends RuntimeException {
    RoundFailed(List<String> wrong) {
      super(String.join("\n", Set.copyOf(wrong)));
    }
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      if (client != null) {
        client.process().close();
      }
    }
    for (Node node : nodes) {
      node.process().close();
    }
    for (SmallDisk disk : disks) {
      disk.close();
    }
    for (Path directory : directories) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    for (FaultyLink[] each : links) {
      for (FaultyLink link : each) {
        if (link != null) {
          link.close();
        }
      }
    }
  }
}
