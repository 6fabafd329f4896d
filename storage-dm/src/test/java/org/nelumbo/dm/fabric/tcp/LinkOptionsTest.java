package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

class LinkOptionsTest {
  @Test
  void shouldEnableNoDelayAndKeepAlive() throws IOException {
    try (Socket socket = new Socket()) {
      LinkOptions.set(socket);
      assertTrue(socket.getTcpNoDelay());
      assertTrue(socket.getKeepAlive());
      if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
        int idle = socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE);
        int interval = socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL);
        int count = socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT);
        assertEquals(30, idle + interval * count);
      }
    }
  }
}
