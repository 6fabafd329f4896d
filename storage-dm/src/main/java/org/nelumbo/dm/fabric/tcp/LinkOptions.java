package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * Options of the sockets between compute nodes and memory nodes, on both sides. Small frames are
 * sent at once. The system probes idle connections, so that firewalls keep them, and closes a
 * connection whose other side is gone after half a minute at most.
 */
public final class LinkOptions {
  private static final int IDLE_SECONDS = 10;
  private static final int INTERVAL_SECONDS = 5;
  private static final int PROBES = 4;

  private LinkOptions() {}

  /** Sets the options that the system supports. */
  public static void set(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    Set<SocketOption<?>> known = socket.supportedOptions();
    set(socket, known, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
    set(socket, known, ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
    set(socket, known, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
  }

  private static void set(
      Socket socket, Set<SocketOption<?>> known, SocketOption<Integer> option, int value)
      throws IOException {
    if (known.contains(option)) {
      socket.setOption(option, value);
    }
  }
}
