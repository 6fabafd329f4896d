package org.nelumbo.dm.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;

/** Tests the requests of a proposer, and for which acceptors it waits. */
@Timeout(30)
class PaxosProposerTest {
  private static final long LONG = 3_600_000_000_000L;
  private static final AgreementReply SILENT = null;

  private final SystemEnvironment environment = new SystemEnvironment();

  /** A reply that is available immediately, or never arrives. */
  private record Reply(AgreementReply poll, boolean hasFailed) implements AcceptorNetwork.Pending {
    @Override
    public void cancel() {
      // cancellation is not tested
    }
  }

  private static Reply known(long incarnation, Decision decision) {
    return new Reply(new AgreementReply.Known(incarnation, decision), false);
  }

  private PaxosProposer proposer(Reply... replies) {
    return new PaxosProposer(environment, (node, _) -> replies[node], 1, LONG);
  }

  private static Decision decision(long number) {
    return new Decision(number, List.of(new AcceptorId(0, 10)), new byte[] {1});
  }

  @Test
  void shouldReturnAcceptorsAndLearnLatestDecision() {
    PaxosProposer proposer =
        proposer(known(10, decision(3)), known(11, decision(5)), known(12, null));
    assertEquals(
        List.of(new AcceptorId(0, 10), new AcceptorId(1, 11), new AcceptorId(2, 12)),
        proposer.inquire(3, _ -> true));
    assertEquals(5, proposer.known().number());
  }

  @Test
  void shouldWaitOnlyForAwaitedAcceptors() {
    PaxosProposer proposer =
        proposer(new Reply(SILENT, false), known(11, decision(2)), new Reply(SILENT, true));
    assertEquals(List.of(new AcceptorId(1, 11)), proposer.inquire(3, node -> node > 0));
    assertEquals(2, proposer.known().number());
  }
}
