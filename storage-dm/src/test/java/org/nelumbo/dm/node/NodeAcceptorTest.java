package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.AgreementEncoding;
import org.nelumbo.dm.agreement.AgreementReply;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.agreement.Decision;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.replication.view.PoolConfiguration;

/**
 * Tests that the acceptor of a node reports a new owner only after the previous owner is fenced.
 */
class NodeAcceptorTest {
  private static final byte[] INQUIRY = AgreementEncoding.encode(new AgreementRequest.Inquire());

  private final SystemEnvironment environment = new SystemEnvironment();
  private final List<Long> told = new ArrayList<>();
  private boolean isFenceBroken;

  private void fence(long owner) {
    if (isFenceBroken) {
      throw new IllegalStateException("fence");
    }
    told.add(owner);
  }

  private static Decision decision(long number, long owner) {
    PoolConfiguration content =
        new PoolConfiguration(
            7,
            number,
            List.of(new PoolConfiguration.Node("one:7420", 4, true, false)),
            List.of(new PoolConfiguration.Member("process", owner)));
    return new Decision(number, List.of(new AcceptorId(0, 4)), content.encode());
  }

  private static byte[] learn(Decision decision) {
    return AgreementEncoding.encode(new AgreementRequest.Learn(decision));
  }

  private static long decided(byte[] reply) {
    return ((AgreementReply.Known) AgreementEncoding.reply(reply)).decided().number();
  }

  @Test
  void shouldReportEachOwnerOnce() {
    NodeAcceptor acceptor = NodeAcceptor.forgetful(environment);
    acceptor.setFence(this::fence);
    assertEquals(1, decided(acceptor.reply(learn(decision(1, 50)))));
    assertEquals(2, decided(acceptor.reply(learn(decision(2, 60)))));
    assertEquals(2, decided(acceptor.reply(learn(decision(1, 50)))));
    assertEquals(2, decided(acceptor.reply(INQUIRY)));
    assertEquals(List.of(50L, 60L), told);
  }

  @Test
  void shouldNotReplyUntilFenceSucceeds() {
    NodeAcceptor acceptor = NodeAcceptor.forgetful(environment);
    acceptor.setFence(this::fence);
    isFenceBroken = true;
    assertThrows(IllegalStateException.class, () -> acceptor.reply(learn(decision(1, 50))));
    assertThrows(IllegalStateException.class, () -> acceptor.reply(INQUIRY));
    isFenceBroken = false;
    assertEquals(1, decided(acceptor.reply(INQUIRY)));
    assertEquals(List.of(50L), told);
  }

  @Test
  void shouldNotAcceptDecisionItCannotWrite(@TempDir Path directory) throws IOException {
    Path votes = directory.resolve("votes");
    NodeAcceptor broken = NodeAcceptor.of(environment, votes);
    broken.setFence(this::fence);
    broken.reply(learn(decision(1, 50)));
    broken.close();
    assertThrows(UncheckedIOException.class, () -> broken.reply(learn(decision(2, 60))));
    assertEquals(1, decided(broken.reply(INQUIRY)));
    assertEquals(List.of(50L), told);
    try (NodeAcceptor acceptor = NodeAcceptor.of(environment, votes)) {
      assertEquals(1, decided(acceptor.reply(INQUIRY)));
    }
  }
}
