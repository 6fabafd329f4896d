package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Tests replies that arrive in pieces, with pauses longer than the interval in which silence is
 * measured.
 */
@Timeout(120)
class SlowReplyTest {
  private static final int PAUSE_MILLIS = NodeLink.INTERVAL_MILLIS * 5 / 2;
  private static final int PIECE_BYTES = 11;
  private static final int PIECES = 6;
  private static final long WORD = PoolAddress.of(0, 8192);

  private final SystemEnvironment environment = new SystemEnvironment();
  private ServerSocket relay;
  private MemoryNode node;
  private volatile boolean slow;
  private volatile boolean silent;

  @BeforeEach
  void listen() throws IOException {
    relay = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  private void start(Tls tls) throws IOException {
    node =
        new MemoryNode(
            environment,
            LocalMemory.reserve(1 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT.withTls(tls));
    node.start();
  }

  @AfterEach
  void stop() throws IOException {
    relay.close();
    node.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = relay.accept();
        Socket target = new Socket(InetAddress.getLoopbackAddress(), node.address().port());
        Thread.ofVirtual().start(() -> pass(client, target, false));
        Thread.ofVirtual().start(() -> pass(target, client, true));
      }
    } catch (IOException e) {
      return; // the test is over
    }
  }

  private void pass(Socket from, Socket to, boolean isReply) {
    byte[] bytes = new byte[64 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        int done = 0;
        for (int piece = 0; isReply && slow && piece < PIECES && done < count; piece++) {
          int length = Math.min(PIECE_BYTES, count - done);
          out.write(bytes, done, length);
          done += length;
          Thread.sleep(PAUSE_MILLIS);
        }
        if (!silent) {
          out.write(bytes, done, count - done);
        }
      }
    } catch (IOException | InterruptedException e) {
      return; // one side has closed its connection
    }
  }

  private void shouldAcceptReplyInPieces(Tls tls) throws IOException {
    TcpOptions options =
        TcpOptions.of("me")
            .withTls(tls)
            .withConnections(1)
            .withTimeoutMillis(20_000)
            .withShortestTimeoutMillis(20_000);
    NodeAddress address = new NodeAddress("127.0.0.1", relay.getLocalPort());
    try (Fabric fabric = TcpFabric.open(environment, List.of(address), options);
        Channel channel = fabric.openChannel(64)) {
      slow = true;
      channel.writeLong(WORD, 42);
      channel.read(WORD, 0, Long.BYTES);
      channel.flush();
      slow = false;
      assertEquals(42, channel.staging().get(ValueLayout.JAVA_LONG, 0));
      channel.fetchAndAdd(WORD, 1, 8);
      channel.flush();
      assertEquals(42, channel.staging().get(ValueLayout.JAVA_LONG, 8));
    }
  }

  @Test
  void shouldAcceptReplyInPieces() throws IOException {
    start(null);
    shouldAcceptReplyInPieces(null);
  }

  @Test
  void shouldAcceptTlsRecordInPieces(@TempDir Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.make(folder, "EC", "ip:127.0.0.1");
    start(Tls.ofNode(certificate.certificate(), certificate.key()));
    shouldAcceptReplyInPieces(Tls.ofClient(certificate.certificate()));
  }

  @Test
  void shouldReportLengthOfSilenceOnTimeout() throws IOException {
    start(null);
    TcpOptions options = TcpOptions.of("me").withShortestTimeoutMillis(300);
    NodeAddress address = new NodeAddress("127.0.0.1", relay.getLocalPort());
    try (Fabric fabric = TcpFabric.open(environment, List.of(address), options);
        Channel channel = fabric.openChannel(64)) {
      silent = true;
      channel.read(WORD, 0, Long.BYTES);
      FabricException e = assertThrows(FabricException.class, channel::flush);
      Matcher silence = Pattern.compile("no response for (\\d+) ms").matcher(e.getMessage());
      assertTrue(silence.find(), e.getMessage());
      assertTrue(Integer.parseInt(silence.group(1)) >= 300, e.getMessage());
    }
  }
}
