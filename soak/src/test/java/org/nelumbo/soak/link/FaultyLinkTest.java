package org.nelumbo.soak.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyLinkTest {
  private static final int SILENCE_MILLIS = 150;
  private static final int DELAY_MILLIS = 50;
  private static final int REPLY_MILLIS = 20_000;

  private ServerSocket echo;
  private FaultyLink link;

  @BeforeEach
  void start() throws IOException {
    echo = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
    link =
        new FaultyLink(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), echo.getLocalPort()));
  }

  private void serve() {
    while (!echo.isClosed()) {
      try {
        Socket socket = echo.accept();
        Thread.ofVirtual().start(() -> echo(socket));
      } catch (IOException e) {
        return; // the test is over
      }
    }
  }

  private static void echo(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      return; // the link was reset
    }
  }

  @AfterEach
  void stop() throws IOException {
    link.close();
    echo.close();
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), link.port());
  }

  private static int ask(Socket socket, int value, int millis) throws IOException {
    socket.setSoTimeout(millis);
    socket.getOutputStream().write(value);
    return socket.getInputStream().read();
  }

  @Test
  void shouldPassBytesAndEnds() throws IOException {
    try (Socket socket = connect()) {
      assertEquals(7, ask(socket, 7, REPLY_MILLIS));
      socket.shutdownOutput();
      assertEquals(-1, socket.getInputStream().read());
    }
  }

  @Test
  void shouldHoldRequestsUntilItHeals() throws IOException {
    holdAndHeal(Direction.TO_NODE);
  }

  @Test
  void shouldHoldResponsesUntilItHeals() throws IOException {
    holdAndHeal(Direction.TO_CLIENT);
  }

  private void holdAndHeal(Direction direction) throws IOException {
    try (Socket socket = connect()) {
      assertEquals(1, ask(socket, 1, REPLY_MILLIS));
      link.hold(direction);
      assertThrows(SocketTimeoutException.class, () -> ask(socket, 2, SILENCE_MILLIS));
      link.heal();
      socket.setSoTimeout(REPLY_MILLIS);
      assertEquals(2, socket.getInputStream().read());
    }
  }

  @Test
  void shouldResetConnectionsWhileItIsCut() throws IOException {
    try (Socket socket = connect()) {
      assertEquals(1, ask(socket, 1, REPLY_MILLIS));
      link.cut();
      assertThrows(IOException.class, () -> askUntilItEnds(socket));
      try (Socket other = connect()) {
        assertThrows(IOException.class, () -> askUntilItEnds(other));
      }
      link.heal();
      try (Socket other = connect()) {
        assertEquals(3, ask(other, 3, REPLY_MILLIS));
      }
    }
  }

  private static void askUntilItEnds(Socket socket) throws IOException {
    for (int i = 0; i < 1_000; i++) {
      if (ask(socket, 1, REPLY_MILLIS) < 0) {
        throw new IOException("ended");
      }
    }
  }

  @Test
  void shouldForgetAnIdleConnectionWithoutAWord() throws Exception {
    try (Socket socket = connect()) {
      assertEquals(1, ask(socket, 1, REPLY_MILLIS));
      link.forgetIdleAfter(1);
      Thread.sleep(20);
      assertThrows(SocketTimeoutException.class, () -> ask(socket, 2, SILENCE_MILLIS));
      link.heal();
      assertThrows(SocketTimeoutException.class, () -> ask(socket, 3, SILENCE_MILLIS));
      try (Socket other = connect()) {
        assertEquals(4, ask(other, 4, REPLY_MILLIS));
      }
    }
  }

  @Test
  void shouldDelay() throws IOException {
    try (Socket socket = connect()) {
      link.delay(Direction.TO_NODE, DELAY_MILLIS);
      long start = System.nanoTime();
      assertEquals(1, ask(socket, 1, REPLY_MILLIS));
      long elapsed = System.nanoTime() - start;
      assertTrue(elapsed >= DELAY_MILLIS * 1_000_000L, "elapsed=" + elapsed);
    }
  }
}
