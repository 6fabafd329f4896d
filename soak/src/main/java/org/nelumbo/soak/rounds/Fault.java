package org.nelumbo.soak.rounds;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The faults of a round. Each is ended before the round is checked. */
public enum Fault {
  /** Nothing: what a round is compared with. */
  NONE,
  /** Kills a memory node with signal 9; it returns empty. */
  KILL_NODE,
  /** Asks a memory node to end (signal 15); it returns empty. */
  END_NODE,
  /**
   * Stops a memory node with signal STOP for a while: it is silent, and its connections are open.
   */
  STOP_NODE,
  /** A memory node has no file descriptors left for a while. */
  STARVE_NODE,
  /** A memory node can start no thread for a while, and loses its connections. */
  BLOCK_NODE_THREADS,
  /** The file system of a memory node's data is full when it returns, and for a while. */
  FILL_DATA,
  /** A page of a memory node's file is zeros, or has another's content, when the node returns. */
  LOSE_PAGE,
  /** Kills a client with signal 9; another starts in its place. */
  KILL_CLIENT,
  /** Kills half of the clients at once; others start in their places. */
  KILL_CLIENTS,
  /** Ends a client in good order; another starts in its place. */
  END_CLIENT,
  /** Stops a client for longer than its lease: somebody else may have the pool when it wakes. */
  STOP_CLIENT,
  /**
   * Stops a client that holds a latch of an index, for longer than its lease and than any wait for
   * a latch.
   */
  STOP_LATCHED,
  /**
   * Stops a client for longer than its lease while another one is cut off from a memory node. When
   * it wakes it reaches that memory node, which the others have left out of the pool.
   */
  STOP_CLIENT_CUT_OTHER,
  /** The heap of a client is full to the brim, again and again. */
  FILL_HEAP,
  /** A client can start no thread for a while, and loses its connections to a memory node. */
  BLOCK_CLIENT_THREADS,
  /** The file system of the clients' temporary files is full for a while. */
  FILL_TEMP,
  /** Kills all memory nodes and all clients with signal 9; all start again. */
  KILL_ALL,
  /** Resets all connections between a client and a memory node once. */
  RESET_LINK,
  /** Resets all connections between a client and a memory node for a while. */
  CUT_LINK,
  /** Bytes between a client and a memory node do not arrive for a while. */
  HOLD_LINK,
  /** Requests of a client do not arrive at a memory node for a while; responses do. */
  HOLD_REQUESTS,
  /** Responses of a memory node do not arrive at a client for a while; requests do. */
  HOLD_RESPONSES,
  /** Bytes between a client and a memory node arrive late. */
  DELAY_LINK,
  /** Connections that are idle are forgotten, as by a firewall. */
  FORGET_IDLE;

  /** Those that a pool with copies in memory survives. */
  static List<Fault> ofCopies() {
    return without(KILL_ALL);
  }

  /** Those that a pool with copies on durable memory nodes survives. */
  static List<Fault> ofDurablePools() {
    return without(FILL_DATA);
  }

  private static List<Fault> without(Fault one) {
    return Arrays.stream(values()).filter(each -> each != one).toList();
  }

  /** Those that a pool with one copy, which is kept in files, and its compute nodes survive. */
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

  /** Those of a pool in shared files: there is nothing but clients. */
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

  /** The word of options and results. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The fault of a word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Fault of(String word) {
    for (Fault fault : values()) {
      if (fault.word().equals(word)) {
        return fault;
      }
    }
    throw new IllegalArgumentException("'" + word + "' is no fault");
  }
}
