package org.nelumbo.soak.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP proxy for one address that fails on command. Without a fault it forwards bytes as they
 * arrive. Faults affect open and new connections until {@link #heal}. Thread-safe.
 */
public final class FaultyLink implements AutoCloseable {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int CONNECT_MILLIS = 2_000;
  private static final int DIRECTIONS = Direction.values().length;

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition healed = lock.newCondition();
  private final boolean[] held = new boolean[DIRECTIONS];
  private final long[] delayNanos = new long[DIRECTIONS];
  private volatile boolean cut;
  private volatile long idleNanos = Long.MAX_VALUE;
  private volatile boolean closed;

  /** Opens a link to an address, which listens on its own port of the loopback interface. */
  public FaultyLink(InetSocketAddress target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("link-" + listener.getLocalPort()).start(this::accept);
  }

  /** Returns the port for clients. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Holds back the bytes of a direction without an error. They arrive after {@link #heal}. */
  public void hold(Direction direction) {
    lock.lock();
    try {
      held[direction.ordinal()] = true;
    } finally {
      lock.unlock();
    }
  }

  /** Delays the bytes of a direction. */
  public void delay(Direction direction, long millis) {
    lock.lock();
    try {
      delayNanos[direction.ordinal()] = TimeUnit.MILLISECONDS.toNanos(millis);
    } finally {
      lock.unlock();
    }
  }

  /** Resets all connections, and new ones. */
  public void cut() {
    cut = true;
    connections.forEach(Connection::reset);
  }

  /** Resets all connections; new ones are forwarded. */
  public void reset() {
    connections.forEach(Connection::reset);
  }

  /**
   * Drops the state of connections that are idle for longer, as a firewall does: later bytes are
   * dropped without an error at either end.
   */
  public void forgetIdleAfter(long millis) {
    idleNanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Ends all faults. Connections whose state was dropped stay broken. */
  public void heal() {
    lock.lock();
    try {
      for (int direction = 0; direction < DIRECTIONS; direction++) {
        held[direction] = false;
        delayNanos[direction] = 0;
      }
      cut = false;
      idleNanos = Long.MAX_VALUE;
      healed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    connections.forEach(Connection::reset);
    heal();
  }

  private void accept() {
    while (!closed) {
      try {
        Connection connection = new Connection(listener.accept());
        connections.add(connection);
        if (cut || closed) {
          connection.reset();
        } else {
          Thread.ofVirtual().start(connection::open);
        }
      } catch (IOException e) {
        if (!closed) {
          throw new IllegalStateException("a link that cannot accept connections tests nothing", e);
        }
      }
    }
  }

  /** Waits until a direction forwards bytes; returns their delay. */
  private long awaitPassing(Direction direction) throws InterruptedException {
    lock.lock();
    try {
      while (held[direction.ordinal()] && !closed) {
        healed.await();
      }
      return delayNanos[direction.ordinal()];
    } finally {
      lock.unlock();
    }
  }

  private final class Connection {
    private final Socket client;
    private final Socket node = new Socket();
    private volatile long lastPassed = System.nanoTime();
    private volatile boolean forgotten;

    Connection(Socket client) {
      this.client = client;
    }

    void open() {
      try {
        awaitPassing(Direction.TO_NODE);
        node.connect(target, CONNECT_MILLIS);
        client.setTcpNoDelay(true);
        node.setTcpNoDelay(true);
        if (cut) {
          reset();
        }
        Thread.ofVirtual().start(() -> pass(node, client, Direction.TO_CLIENT));
        pass(client, node, Direction.TO_NODE);
      } catch (IOException e) {
        reset();
      } catch (InterruptedException e) {
        throw new IllegalStateException("a link is not interrupted", e);
      }
    }

    private void pass(Socket from, Socket to, Direction direction) {
      byte[] chunk = new byte[CHUNK_BYTES];
      try {
        for (int length = from.getInputStream().read(chunk);
            length >= 0;
            length = from.getInputStream().read(chunk)) {
          forgetIfIdle();
          long delay = awaitPassing(direction);
          if (delay > 0) {
            TimeUnit.NANOSECONDS.sleep(delay);
          }
          if (!forgotten) {
            lastPassed = System.nanoTime();
            to.getOutputStream().write(chunk, 0, length);
          }
        }
        awaitPassing(direction);
        to.shutdownOutput();
        if (from.isOutputShutdown()) {
          end();
        }
      } catch (IOException e) {
        resetWhenPassing(direction);
      } catch (InterruptedException e) {
        throw new IllegalStateException("a link is not interrupted", e);
      }
    }

    private void forgetIfIdle() {
      if (System.nanoTime() - lastPassed > idleNanos) {
        forgotten = true;
      }
    }

    /** Until the direction forwards bytes, the loss of one end is not visible at the other. */
    private void resetWhenPassing(Direction direction) {
      try {
        awaitPassing(direction);
      } catch (InterruptedException e) {
        throw new IllegalStateException("a link is not interrupted", e);
      }
      reset();
    }

    void reset() {
      linger(client);
      linger(node);
      end();
    }

    private static void linger(Socket socket) {
      try {
        socket.setSoLinger(true, 0);
      } catch (SocketException e) {
        return; // it is closed, or was never connected
      }
    }

    private void end() {
      connections.remove(this);
      try (client;
          node) {
        lastPassed = System.nanoTime();
      } catch (IOException e) {
        return; // it is closed already
      }
    }
  }
}
