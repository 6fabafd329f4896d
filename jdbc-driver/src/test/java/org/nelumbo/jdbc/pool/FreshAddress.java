package org.nelumbo.jdbc.pool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.fabric.tcp.NodeAddress;

/**
 * Draws addresses on this machine that no earlier test of this process has used. A process
 * remembers the pool it had open at an address and refuses an empty one there, and the operating
 * system reuses its ephemeral ports after some hundred tests.
 */
final class FreshAddress {
  private static final int FIRST_PORT = 20_000;

  /** Start of the ephemeral ports of the operating system. */
  private static final int END_OF_PORTS = 32_000;

  /** Next port. Other processes of the build start at other ports. */
  private static final AtomicInteger NEXT =
      new AtomicInteger(
          FIRST_PORT + (int) (ProcessHandle.current().pid() * 97 % (END_OF_PORTS - FIRST_PORT)));

  private FreshAddress() {}

  /**
   * Draws an address on which no process listens.
   *
   * @throws UncheckedIOException if every port is in use
   */
  static NodeAddress next() {
    IOException inUse = null;
    for (int tries = FIRST_PORT; tries < END_OF_PORTS; tries++) {
      int port = NEXT.getAndUpdate(p -> p + 1 < END_OF_PORTS ? p + 1 : FIRST_PORT);
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new NodeAddress("127.0.0.1", port);
      } catch (IOException e) {
        inUse = e;
      }
    }
    throw new UncheckedIOException(inUse);
  }
}
