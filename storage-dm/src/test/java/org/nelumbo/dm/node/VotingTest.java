package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.AgreementReply;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.agreement.Ballot;
import org.nelumbo.dm.agreement.Decision;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.agreement.PaxosProposer;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpAcceptorNetwork;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/** Tests agreement of memory nodes over TCP. */
@Timeout(120)
class VotingTest {
  private static final int NODES = 3;
  private static final long LONG = 60_000_000_000L;

  private final SystemEnvironment environment = new SystemEnvironment();
  private final List<MemoryNode> nodes = new ArrayList<>();
  private final List<NodeAddress> addresses = new ArrayList<>();
  private String secret = "";
  private Path data;

  private void startAll() throws IOException {
    for (int node = 0; node < NODES; node++) {
      nodes.add(start(node, 0));
      addresses.add(nodes.get(node).address());
    }
  }

  private MemoryNode start(int number, int port) throws IOException {
    MemoryNode node =
        new MemoryNode(
            environment,
            LocalMemory.reserve(1 << 20),
            new NodeAddress("127.0.0.1", port),
            MemoryNode.Options.DEFAULT
                .withSecret(secret)
                .withVotes(data == null ? null : data.resolve("votes" + number)));
    node.start();
    return node;
  }

  private void restart(int number) throws IOException {
    nodes.get(number).close();
    nodes.set(number, start(number, addresses.get(number).port()));
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
  }

  private TcpOptions options() {
    return TcpOptions.of("voting test").withSecret(secret);
  }

  private TcpAcceptorNetwork network() {
    return new TcpAcceptorNetwork(environment, addresses, options());
  }

  private PaxosProposer proposer() {
    return new PaxosProposer(environment, network(), environment.randomLong(), 5_000_000_000L);
  }

  private AgreementReply ask(int node, AgreementRequest request) {
    AcceptorNetwork.Pending pending = network().send(node, request);
    for (int attempt = 0; pending.poll() == null && !pending.hasFailed(); attempt++) {
      environment.backoff(attempt);
    }
    return pending.poll();
  }

  private List<AcceptorId> identities() {
    List<AcceptorId> found = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      AgreementReply reply = ask(node, new AgreementRequest.Inquire());
      if (reply instanceof AgreementReply.Known known) {
        found.add(new AcceptorId(node, known.incarnation()));
      }
    }
    return found;
  }

  private Decision first() throws NoMajorityException {
    return proposer().first(identities(), new byte[] {1}, environment.nanoTime() + LONG);
  }

  private PaxosProposer informed() {
    PaxosProposer proposer = proposer();
    proposer.inquire(NODES, _ -> true);
    return proposer;
  }

  private static Decision appended(Decision before, int value) {
    byte[] content = java.util.Arrays.copyOf(before.content(), before.content().length + 1);
    content[content.length - 1] = (byte) value;
    return before.next(before.acceptors(), content);
  }

  @Test
  void shouldDecideWhileServingAnotherComputeNode() throws Exception {
    secret = "a secret that is long enough";
    startAll();
    try (TcpFabric fabric = TcpFabric.open(environment, addresses, options());
        Channel channel = fabric.openChannel(64)) {
      assertEquals(1, first().number());
      PaxosProposer other = informed();
      Decision second = other.change(each -> appended(each, 2), environment.nanoTime() + LONG);
      assertEquals(2, second.number());
      assertEquals(second, informed().latest(environment.nanoTime() + LONG));
      channel.writeLong(PoolAddress.of(0, 8192), 1);
      channel.flush();
    }
  }

  @Test
  void shouldSerializeConcurrentProposals() throws Exception {
    startAll();
    first();
    int each = 6;
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int value = 10 + i;
        running.add(executor.submit(() -> changeOften(value, each)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
    byte[] all = informed().latest(environment.nanoTime() + LONG).content();
    for (int i = 0; i < 3; i++) {
      int count = 0;
      for (byte value : all) {
        count += value == 10 + i ? 1 : 0;
      }
      assertTrue(count >= each, "value=" + (10 + i) + " count=" + count);
    }
  }

  private Void changeOften(int value, int times) throws NoMajorityException {
    PaxosProposer proposer = informed();
    for (int i = 0; i < times; i++) {
      proposer.change(before -> appended(before, value), environment.nanoTime() + LONG);
    }
    return null;
  }

  @Test
  void shouldKeepDecisionAndIdentityAcrossRestart(@TempDir Path directory) throws Exception {
    data = directory;
    startAll();
    Decision first = first();
    List<AcceptorId> before = identities();
    for (int node = 0; node < NODES; node++) {
      restart(node);
    }
    assertEquals(before, identities());
    assertEquals(first, informed().latest(environment.nanoTime() + LONG));
  }

  @Test
  void shouldKeepPromiseAndAcceptedDecisionAcrossRestart(@TempDir Path directory) throws Exception {
    data = directory;
    startAll();
    Decision second = appended(first(), 2);
    long incarnation = identities().get(0).incarnation();
    Ballot low = new Ballot(1_000_000, 1);
    Ballot ballot = new Ballot(1_000_001, 1);
    Ballot high = new Ballot(1_000_002, 1);
    assertEquals(
        new AgreementReply.Promised(Ballot.NONE, null),
        ask(0, new AgreementRequest.Prepare(incarnation, 2, ballot)));
    restart(0);
    assertEquals(
        new AgreementReply.Refused(ballot),
        ask(0, new AgreementRequest.Prepare(incarnation, 2, low)));
    assertEquals(
        new AgreementReply.Refused(ballot),
        ask(0, new AgreementRequest.Accept(incarnation, low, second)));
    assertEquals(
        new AgreementReply.Accepted(),
        ask(0, new AgreementRequest.Accept(incarnation, ballot, second)));
    restart(0);
    assertEquals(
        new AgreementReply.Promised(ballot, second),
        ask(0, new AgreementRequest.Prepare(incarnation, 2, high)));
  }

  @Test
  void shouldNotVoteWithoutItsMemory() throws Exception {
    startAll();
    first();
    restart(0);
    Decision second = informed().change(each -> appended(each, 2), environment.nanoTime() + LONG);
    restart(1);
    PaxosProposer proposer = informed();
    assertEquals(second, proposer.known());
    NoMajorityException refusal =
        assertThrows(
            NoMajorityException.class,
            () -> proposer.latest(environment.nanoTime() + 200_000_000L));
    assertTrue(refusal.getMessage().contains("node 0 has lost its memory"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("node 1 has lost its memory"), refusal.getMessage());
  }

  @Test
  void shouldNotReplyToWrongSecret() throws Exception {
    secret = "a secret that is long enough";
    startAll();
    secret = "another one of some length";
    assertNull(ask(0, new AgreementRequest.Inquire()));
  }

  @Test
  void shouldRejectMalformedRequestsAndContinue() throws Exception {
    startAll();
    first();
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 60; i++) {
      byte[] request = new byte[random.nextInt(Wire.FIRST_FRAME_LENGTH_MAX - 200)];
      random.nextBytes(request);
      if (request.length > 0) {
        request[0] = (byte) random.nextInt(6);
      }
      if (request.length != 1 || request[0] != 1) {
        assertEquals(Wire.REFUSED, replyTo(request));
      }
    }
    assertEquals(1, informed().latest(environment.nanoTime() + LONG).number());
  }

  /** Sends a request and returns the type of the reply frame. */
  private byte replyTo(byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), addresses.get(0).port())) {
      ByteBuffer frame = Wire.buffer(Wire.FIRST_FRAME_LENGTH_MAX);
      Wire.begin(frame, Wire.HELLO);
      frame.putInt(Wire.MAGIC).putInt(Wire.VERSION).put(new byte[Wire.NONCE_LENGTH]);
      Wire.end(frame);
      socket.getOutputStream().write(Wire.array(frame), 0, frame.limit());
      socket
          .getInputStream()
          .readNBytes(Wire.HEADER_LENGTH + Wire.NONCE_LENGTH + Wire.SALT_LENGTH + Long.BYTES);
      Wire.begin(frame, Wire.AGREE);
      frame.put(new byte[Wire.PROOF_LENGTH]);
      Wire.putBytes(frame, request);
      Wire.end(frame);
      socket.getOutputStream().write(Wire.array(frame), 0, frame.limit());
      return socket.getInputStream().readNBytes(Wire.HEADER_LENGTH)[Wire.TYPE_OFFSET];
    }
  }

  /** A pool may have more voting nodes than the URL of a compute node names. */
  @Test
  void shouldReturnNullForUnnamedNode() {
    assertNull(ask(NODES, new AgreementRequest.Inquire()));
  }
}
