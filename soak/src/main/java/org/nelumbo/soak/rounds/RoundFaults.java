package org.nelumbo.soak.rounds;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.nelumbo.soak.link.Direction;
import org.nelumbo.soak.link.FaultyLink;
import org.nelumbo.soak.process.ChildProcess;
import org.nelumbo.soak.process.SmallDisk;
import org.nelumbo.soak.process.ThreadLimit;

/** An injector of the fault of a round, one at a time. For one thread. */
final class RoundFaults {
  /** The memory node that keeps its memory in a file, if it has a disk. */
  static final int NODE_WITH_DATA = 2;

  /** Maximum duration of a fault. */
  static final long MILLIS_MAX = 7_000;

  private static final long PAST_LEASE_MILLIS = 1_000 * (Node.LEASE_SECONDS + 1);

  /** Longer than any wait for a latch. */
  private static final long PAST_LATCH_MILLIS = 12_000;

  private static final String NO_FILE_BYTES = "--fsize=0:";
  private static final String ANY_FILE_BYTES = "--fsize=unlimited:";

  private final Random random;
  private final List<Node> nodes;
  private final FaultyLink[][] links;
  private final Client[] clients;
  private final SmallDisk temp;
  private final Restart restart;

  private Fault fault = Fault.NONE;
  private Node node;
  private int client;
  private FaultyLink link;
  private ThreadLimit threads;

  /** An action that replaces a client that has ended. */
  interface Restart {
    void client(int client) throws IOException;
  }

  /**
   * @param nodes memory nodes; none if the pool is in shared files
   * @param links links by client and node
   * @param clients current clients by number
   * @param temp file system of the clients' temporary files; null if there is none
   */
  RoundFaults(
      Random random,
      List<Node> nodes,
      FaultyLink[][] links,
      Client[] clients,
      SmallDisk temp,
      Restart restart) {
    this.random = random;
    this.nodes = nodes;
    this.links = links;
    this.clients = clients;
    this.temp = temp;
    this.restart = restart;
  }

  /** Returns true if this machine allows the fault. */
  boolean isPossible(Fault wanted) {
    if (nodes.isEmpty() && !Fault.ofSharedFiles().contains(wanted)) {
      return false;
    }
    return switch (wanted) {
      case FILL_DATA -> nodes.get(NODE_WITH_DATA).disk() != null;
      case LOSE_PAGE -> nodes.get(NODE_WITH_DATA).hasMemoryFile();
      case BLOCK_NODE_THREADS, BLOCK_CLIENT_THREADS -> ThreadLimit.isPossible();
      default -> true;
    };
  }

  void begin(Fault next, int nodeNumber, int clientNumber)
      throws IOException, InterruptedException {
    fault = next;
    client = clientNumber;
    if (!nodes.isEmpty()) {
      boolean isInFile = next == Fault.FILL_DATA || next == Fault.LOSE_PAGE;
      node = nodes.get(isInFile ? NODE_WITH_DATA : nodeNumber);
      link = links[clientNumber][nodeNumber];
    }
    ChildProcess process = clients[client].process();
    switch (fault) {
      case NONE -> TimeUnit.MILLISECONDS.sleep(1);
      case KILL_NODE -> node.process().kill();
      case END_NODE -> {
        node.process().signal("TERM");
        node.process().awaitEnd();
      }
      case STOP_NODE -> node.process().signal("STOP");
      case STARVE_NODE -> node.process().limit("--nofile=8:");
      case BLOCK_NODE_THREADS -> {
        threads = ThreadLimit.of(node.process());
        for (FaultyLink[] each : links) {
          each[nodeNumber].reset();
        }
      }
      case FILL_DATA -> {
        node.process().kill();
        node.disk().fill();
        startFull();
      }
      case LOSE_PAGE -> {
        node.process().signal(random.nextBoolean() ? "TERM" : "KILL");
        node.process().awaitEnd();
        LostPage.draw(random, node.memoryFile());
      }
      case KILL_CLIENT -> {
        process.kill();
        restart.client(client);
      }
      case KILL_CLIENTS -> killHalf();
      case END_CLIENT -> {
        process.signal("TERM");
        process.awaitEnd();
        restart.client(client);
      }
      case KILL_ALL -> {
        for (Client each : clients) {
          each.process().kill();
        }
        for (Node each : nodes) {
          each.process().kill();
        }
      }
      case STOP_CLIENT -> {
        process.signal("STOP");
        TimeUnit.MILLISECONDS.sleep(PAST_LEASE_MILLIS);
      }
      case STOP_LATCHED -> {
        process.say("latch " + MILLIS_MAX);
        awaitStop(process);
        process.signal("STOP");
        TimeUnit.MILLISECONDS.sleep(PAST_LATCH_MILLIS);
      }
      case STOP_CLIENT_CUT_OTHER -> {
        link = links[(clientNumber + 1) % clients.length][nodeNumber];
        process.signal("STOP");
        link.cut();
        TimeUnit.MILLISECONDS.sleep(PAST_LEASE_MILLIS);
        process.signal("CONT");
      }
      case FILL_HEAP -> process.say("fill " + MILLIS_MAX);
      case BLOCK_CLIENT_THREADS -> {
        threads = ThreadLimit.of(process);
        link.reset();
      }
      case FILL_TEMP -> fillTemp();
      case RESET_LINK -> link.reset();
      case CUT_LINK -> link.cut();
      case HOLD_LINK -> {
        link.hold(Direction.TO_NODE);
        link.hold(Direction.TO_CLIENT);
      }
      case HOLD_REQUESTS -> link.hold(Direction.TO_NODE);
      case HOLD_RESPONSES -> link.hold(Direction.TO_CLIENT);
      case DELAY_LINK -> {
        link.delay(Direction.TO_NODE, 1 + random.nextInt(50));
        link.delay(Direction.TO_CLIENT, 1 + random.nextInt(50));
      }
      case FORGET_IDLE -> link.forgetIdleAfter(100);
    }
  }

  private static void awaitStop(ChildProcess process) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS_MAX);
    while (!process.isStopped() && System.nanoTime() < until) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private void killHalf() throws IOException, InterruptedException {
    for (int i = 0; i < clients.length / 2; i++) {
      clients[(client + i) % clients.length].process().close(); // does not wait for the end
    }
    for (int i = 0; i < clients.length / 2; i++) {
      int killed = (client + i) % clients.length;
      clients[killed].process().awaitEnd();
      restart.client(killed);
    }
  }

  /** Starts a node whose disk is full, which may refuse to start. */
  private void startFull() throws InterruptedException {
    try {
      node.start();
    } catch (IOException e) {
      node.process().close();
    }
  }

  private void fillTemp() throws IOException, InterruptedException {
    if (temp != null) {
      temp.fill();
      return;
    }
    for (Client each : clients) {
      each.process().limit(NO_FILE_BYTES);
    }
  }

  private void freeTemp() throws IOException, InterruptedException {
    if (temp != null) {
      temp.free();
      return;
    }
    for (Client each : clients) {
      each.process().limit(ANY_FILE_BYTES);
    }
  }

  void end() throws IOException, InterruptedException {
    switch (fault) {
      case KILL_NODE, END_NODE, LOSE_PAGE -> node.start();
      case KILL_ALL -> {
        for (Node each : nodes) {
          each.start();
        }
        for (int each = 0; each < clients.length; each++) {
          restart.client(each);
        }
      }
      case STOP_NODE -> node.process().signal("CONT");
      case STARVE_NODE -> node.process().limit("--nofile=4096:");
      case FILL_DATA -> {
        node.disk().free();
        if (!node.process().isAlive()) {
          node.start();
        }
      }
      case STOP_CLIENT, STOP_LATCHED -> endStop();
      case BLOCK_NODE_THREADS, BLOCK_CLIENT_THREADS -> threads.close();
      case FILL_TEMP -> freeTemp();
      default -> {
        if (link != null) {
          link.heal();
        }
      }
    }
  }

  /** Without memory nodes that fence the client, the other clients have killed it. */
  private void endStop() throws IOException, InterruptedException {
    if (nodes.isEmpty()) {
      clients[client].process().awaitEnd();
      restart.client(client);
    } else {
      clients[client].process().signal("CONT");
    }
  }
}
