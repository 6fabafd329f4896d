package org.nelumbo.soak.rounds;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The faults of a round. Each is ended before the round is checked. */
public enum Fault {
  /** No fault, for comparison. */
  NONE,
  /** Kills a memory node with signal 9; it restarts empty. */
  KILL_NODE,
  /** Terminates a memory node (signal 15); it restarts empty. */
  END_NODE,
  /**
   * Stops a memory node with signal STOP for a while: it does not reply, and its connections stay
   * open.
   */
  STOP_NODE,
  /** Leaves a memory node without free file descriptors for a while. */
  STARVE_NODE,
  /** Prevents a memory node from starting threads for a while, and resets its connections. */
  BLOCK_NODE_THREADS,
  /** Fills the file system of a memory node's data when it restarts, and for a while after. */
  FILL_DATA,
  /**
   * Replaces a page of a memory node's file by zeros, or by another page, while the node is down.
   */
  LOSE_PAGE,
  /** Kills a client with signal 9; another one replaces it. */
  KILL_CLIENT,
  /** Kills half of the clients at once; others replace them. */
  KILL_CLIENTS,
  /** Terminates a client in order; another one replaces it. */
  END_CLIENT,
  /** Stops a client for longer than its lease: another one may have the pool when it continues. */
  STOP_CLIENT,
  /**
   * Stops a client that holds a latch of an index, for longer than its lease and than any wait for
   * a latch.
   */
  STOP_LATCHED,
  /**
   * Stops a client for longer than its lease while another one is cut off from a memory node. When
   * it continues, it reaches that memory node, which the others have removed from the pool.
   */
  STOP_CLIENT_CUT_OTHER,
  /** Fills the heap of a client completely, again and again. */
  FILL_HEAP,
  /**
   * Prevents a client from starting threads for a while, and resets its connections to a memory
   * node.
   */
  BLOCK_CLIENT_THREADS,
  /** Fills the file system of the clients' temporary files for a while. */
  FILL_TEMP,
  /** Kills all memory nodes and all clients with signal 9; all restart. */
  KILL_ALL,
  /** Resets all connections between a client and a memory node once. */
  RESET_LINK,
  /** Resets all connections between a client and a memory node for a while. */
  CUT_LINK,
  /** Holds back bytes between a client and a memory node for a while. */
  HOLD_LINK,
  /** Holds back requests of a client to a memory node for a while; responses arrive. */
  HOLD_REQUESTS,
  /** Holds back responses of a memory node to a client for a while; requests arrive. */
  HOLD_RESPONSES,
  /** Delays bytes between a client and a memory node. */
  DELAY_LINK,
  /** Drops the state of idle connections, as a firewall does. */
  FORGET_IDLE;

  /** Returns the faults that a pool with copies in memory survives. */
  static List<Fault> ofCopies() {
    return without(KILL_ALL);
  }

  /** Returns the faults that a pool with copies on durable memory nodes survives. */
  static List<Fault> ofDurablePools() {
    return without(FILL_DATA);
  }

  private static List<Fault> without(Fault one) {
    return Arrays.stream(values()).filter(each -> each != one).toList();
  }

  /**
   * Returns the faults that a shared pool with one copy in files, and its compute nodes, survive.
   */
  static List<Fault> ofSharedPools() {
    return List.of(
        NONE,
        KILL_NODE,
        END_NODE,
        STOP_NODE,
        KILL_CLIENT,
        KILL_CLIENTS,
        END_CLIENT,
        STOP_CLIENT,
        STOP_LATCHED,
        STOP_CLIENT_CUT_OTHER,
        RESET_LINK,
        CUT_LINK,
        HOLD_LINK,
        HOLD_REQUESTS,
        HOLD_RESPONSES,
        DELAY_LINK,
        FORGET_IDLE);
  }

  /** Returns the faults of a pool in shared files, which has only clients. */
  static List<Fault> ofSharedFiles() {
    return List.of(
        NONE,
        KILL_CLIENT,
        KILL_CLIENTS,
        END_CLIENT,
        STOP_CLIENT,
        STOP_LATCHED,
        FILL_HEAP,
        FILL_TEMP);
  }

  /** Returns the word of the fault in options and results. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the fault with a word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Fault of(String word) {
    for (Fault fault : values()) {
      if (fault.word().equals(word)) {
        return fault;
      }
    }
    throw new IllegalArgumentException("'" + word + "' is not a fault");
  }
}
