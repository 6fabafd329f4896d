package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Tests that malformed and malicious input on one connection closes that connection and affects no
 * other one.
 */
@Timeout(120)
class MemoryNodeFuzzTest {
  private static final long BYTES = 1 << 20;
  private static final long WITNESS = PoolAddress.of(0, 8192);

  /**
   * Offset that peers write to only by a frame whose offset was damaged into exactly this value.
   */
  private static final long BESIDE = PoolAddress.of(0, 700_008);

  private final SystemEnvironment environment = new SystemEnvironment();
  private MemoryNode node;
  private TcpFabric fabric;
  private Channel bystander;

  @BeforeEach
  void start() throws IOException {
    node =
        new MemoryNode(
            environment,
            LocalMemory.reserve(BYTES),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT);
    node.start();
    fabric = TcpFabric.open(environment, List.of(node.address()), TcpOptions.of("bystander"));
    bystander = fabric.openChannel(64);
  }

  @AfterEach
  void stop() {
    bystander.close();
    fabric.close();
    node.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.address().port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  /** Opens a connection for verbs in the tenancy of the bystander. */
  private Socket joined() throws IOException {
    return joined(Wire.JOIN);
  }

  /**
   * Opens a connection in the tenancy of the bystander.
   *
   * @param type {@link Wire#JOIN} for verbs, or {@link Wire#PEER} for messages
   */
  private Socket joined(byte type) throws IOException {
    Socket socket = connect();
    ByteBuffer frame = Wire.buffer(4096);
    Wire.begin(frame, Wire.HELLO);
    frame.putInt(Wire.MAGIC).putInt(Wire.VERSION).put(new byte[Wire.NONCE_LENGTH]);
    send(socket, frame);
    socket
        .getInputStream()
        .readNBytes(Wire.HEADER_LENGTH + Wire.NONCE_LENGTH + Wire.SALT_LENGTH + Long.BYTES);
    Wire.begin(frame, type);
    frame.put(new byte[Wire.PROOF_LENGTH]).putLong(fabric.tenant());
    if (type == Wire.PEER) {
      frame.putLong(7).putLong(1);
    }
    send(socket, frame);
    byte[] reply = socket.getInputStream().readNBytes(Wire.HEADER_LENGTH + Wire.PROOF_LENGTH + 32);
    assertEquals(Wire.ATTACHED, reply[Wire.TYPE_OFFSET]);
    return socket;
  }

  private static void send(Socket socket, ByteBuffer frame) throws IOException {
    Wire.end(frame);
    socket.getOutputStream().write(Wire.array(frame), 0, frame.limit());
  }

  private static ByteBuffer verbs(int count) {
    ByteBuffer frame = Wire.buffer(1 << 16);
    Wire.begin(frame, Wire.VERBS);
    frame.putShort(Wire.COUNT_OFFSET, (short) count);
    return frame;
  }

  /** Asserts that the node closes the connection. It may send replies first. */
  private static void assertClosed(Socket socket) throws IOException {
    try (socket) {
      InputStream in = socket.getInputStream();
      byte[] some = new byte[4096];
      while (in.read(some) >= 0) {
        // a reply to a valid request, or the reason for the refusal
      }
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the connection stays open", e);
    } catch (IOException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("reset"), e.toString());
    }
  }

  private void assertUnharmed(long value) {
    bystander.writeLong(WITNESS, value);
    bystander.read(WITNESS, 0, 8);
    bystander.flush();
    assertEquals(value, bystander.staging().get(ValueLayout.JAVA_LONG, 0));
  }

  private void assertRefused(ByteBuffer frame) throws IOException {
    assertRefused(Wire.JOIN, frame);
  }

  private void assertRefused(byte type, ByteBuffer frame) throws IOException {
    Socket socket = joined(type);
    send(socket, frame);
    assertClosed(socket);
    assertUnharmed(System.identityHashCode(frame));
  }

  @Test
  void shouldReportWhyItCloses() throws IOException {
    try (Socket socket = joined()) {
      ByteBuffer frame = verbs(1);
      frame.putLong(99L << 56).putLong(8192);
      send(socket, frame);
      byte[] header = socket.getInputStream().readNBytes(Wire.HEADER_LENGTH);
      assertEquals(Wire.REFUSED, header[Wire.TYPE_OFFSET]);
      String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(said.contains("unknown verb operation=99"), said);
    }
    assertUnharmed(7);
  }

  @Test
  void shouldCloseConnectionsThatSendNonsense() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 40; i++) {
      byte[] bytes = new byte[16 + random.nextInt(300)];
      random.nextBytes(bytes);
      Socket socket = connect();
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      assertClosed(socket);
    }
    assertUnharmed(1);
  }

  @Test
  void shouldCloseConnectionsWithDamagedFrames() throws IOException {
    Random random = new Random(2);
    for (int i = 0; i < 60; i++) {
      ByteBuffer frame = verbs(2);
      frame.putLong(Wire.verb(Wire.READ, 64)).putLong(4096);
      frame.putLong(Wire.verb(Wire.FAA, 0)).putLong(16_384).putLong(1);
      Wire.end(frame);
      byte[] bytes = java.util.Arrays.copyOf(Wire.array(frame), frame.limit());
      for (int k = 0; k < 4; k++) {
        bytes[random.nextInt(40)] = (byte) random.nextInt();
      }
      Socket socket = joined();
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      assertClosed(socket);
    }
    assertUnharmed(2);
  }

  @Test
  void shouldRejectInvalidAddresses() throws IOException {
    for (long offset : new long[] {BYTES, BYTES - 8, -8, Long.MAX_VALUE, 1L << 40, 1L << 39}) {
      ByteBuffer frame = verbs(1);
      frame.putLong(Wire.verb(Wire.READ, 16)).putLong(offset);
      assertRefused(frame);
    }
    ByteBuffer frame = verbs(1);
    frame.putLong(Wire.verb(Wire.WRITE_WORD, 0)).putLong(8196).putLong(1);
    assertRefused(frame);
  }

  @Test
  void shouldRejectMalformedVerbFrames() throws IOException {
    ByteBuffer unknown = verbs(1);
    unknown.putLong(Wire.verb(77, 0)).putLong(8192);
    assertRefused(unknown);
    ByteBuffer tooFew = verbs(2);
    tooFew.putLong(Wire.verb(Wire.READ, 8)).putLong(8192);
    assertRefused(tooFew);
    ByteBuffer tooMany = verbs(1);
    tooMany.putLong(Wire.verb(Wire.READ, 8)).putLong(8192).putLong(0);
    assertRefused(tooMany);
    ByteBuffer cut = verbs(1);
    cut.putLong(Wire.verb(Wire.WRITE, 4096)).putLong(8192).putLong(0);
    assertRefused(cut);
    ByteBuffer huge = verbs(1);
    huge.putLong(Wire.verb(Wire.READ, 0xFFFFFF)).putLong(8192);
    assertRefused(huge);
    ByteBuffer longDigest = verbs(1);
    longDigest.putLong(Wire.verb(Wire.DIGEST, (64 << 10) + 1)).putLong(8192).putLong(1).putLong(2);
    assertRefused(longDigest);
    ByteBuffer keyless = verbs(1);
    keyless.putLong(Wire.verb(Wire.DIGEST, 64)).putLong(8192).putLong(1);
    assertRefused(keyless);
    ByteBuffer flood = verbs(3);
    for (int i = 0; i < 3; i++) {
      flood.putLong(Wire.verb(Wire.READ, 500_000)).putLong(8192);
    }
    assertRefused(flood);
  }

  @Test
  void shouldRefuseFramesOfImpossibleLengths() throws IOException {
    for (int length : new int[] {0, 8, 17, -1, Integer.MAX_VALUE, Wire.FRAME_LENGTH_MAX + 8}) {
      Socket socket = joined();
      ByteBuffer frame = verbs(0);
      Wire.end(frame);
      frame.putInt(0, length);
      socket.getOutputStream().write(Wire.array(frame), 0, frame.limit());
      assertClosed(socket);
    }
    assertUnharmed(3);
  }

  @Test
  void shouldRejectMalformedMessages() throws IOException {
    assertRefused(Wire.PEER, verbs(0));
    ByteBuffer toNobody = Wire.buffer(64);
    Wire.begin(toNobody, Wire.SEND);
    assertRefused(Wire.PEER, toNobody);
    for (int length : new int[] {-1, 1, 8, 17, Integer.MAX_VALUE}) {
      ByteBuffer message = Wire.buffer(64);
      Wire.begin(message, Wire.SEND);
      message.putInt(7).putInt(length).putLong(1).putLong(0).putLong(0);
      assertRefused(Wire.PEER, message);
    }
    ByteBuffer message = Wire.buffer(64);
    Wire.begin(message, Wire.SEND);
    message.putInt(7).putInt(3).putLong(1).putLong(0);
    assertRefused(Wire.JOIN, message);
  }

  /**
   * Random peers from a seed: garbage, partial handshakes, requests that are not permitted, valid
   * and invalid frames of verbs. Their bytes arrive in pieces, interleaved over several
   * connections, and each connection ends with a close, a reset or silence. A longer run has {@code
   * -Dnelumbo.connections=100000 -Dnelumbo.seed=7}.
   */
  @Test
  void shouldServeOwnerDespiteHostilePeers() throws IOException {
    SplittableRandom random = new SplittableRandom(Long.getLong("nelumbo.seed", 1));
    long connections = Long.getLong("nelumbo.connections", 150);
    Deque<Socket> open = new ArrayDeque<>();
    for (long i = 0; i < connections; i++) {
      Socket socket =
          random.nextInt(3) == 0
              ? connect()
              : joined(random.nextInt(4) == 0 ? Wire.PEER : Wire.JOIN);
      open.add(socket);
      if (random.nextInt(4) == 0) {
        socket.setSoLinger(true, 0);
      }
      for (Socket each : open) {
        sayQuietly(each, random);
      }
      if (open.size() > 6) {
        open.remove().close();
      }
      if (i % 10 == 0) {
        bystander.writeLong(BESIDE, i);
        bystander.read(BESIDE, 0, 8);
        bystander.flush();
        assertEquals(i, bystander.staging().get(ValueLayout.JAVA_LONG, 0));
      }
    }
    for (Socket socket : open) {
      socket.close();
    }
    assertTrue(node.isServing());
    assertTrue(node.status().contains("owner=bystander"), node.status());
  }

  /** Sends random bytes or a frame, and ignores the error if the node has closed the connection. */
  private static void sayQuietly(Socket socket, SplittableRandom random) {
    ByteBuffer frame = Wire.buffer(FrameGenerator.LENGTH_MAX);
    switch (random.nextInt(8)) {
      case 0 -> {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        frame.put(bytes).flip();
      }
      case 1 -> {
        Wire.begin(frame, Wire.HELLO);
        frame.putInt(Wire.MAGIC).putInt(random.nextInt(5)).put(new byte[Wire.NONCE_LENGTH]);
        Wire.end(frame);
      }
      case 2 -> {
        byte[] types = {Wire.JOIN, Wire.STATUS, Wire.REFUSED, Wire.RESULTS, Wire.ENTER, 77};
        Wire.begin(frame, types[random.nextInt(types.length)]);
        frame.put(new byte[random.nextInt(60)]).putLong(random.nextLong());
        Wire.end(frame);
      }
      case 3 -> {
        int length = random.nextInt(40);
        Wire.begin(frame, Wire.SEND);
        frame.putInt(7).putInt(length + (random.nextInt(9) == 0 ? 8 : 0)).putLong(1);
        frame.put(new byte[length]);
        Wire.end(frame);
      }
      case 4 -> {
        Wire.begin(frame, (byte) random.nextInt(Wire.SHARE, Wire.BEAT + 1));
        frame.put(new byte[random.nextInt(3) * 4]).putLong(random.nextLong());
        Wire.end(frame);
      }
      default -> frame = new FrameGenerator(random, 8_192).next(random.nextLong());
    }
    try {
      socket.getOutputStream().write(Wire.array(frame), 0, frame.limit());
    } catch (IOException e) {
      // the node has refused an earlier message and closed the connection
    }
  }
}
