package org.nelumbo.dm.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AgreementEncodingTest {
  private static final Ballot BALLOT = new Ballot(3, -7);
  private static final Decision SMALL =
      new Decision(1, List.of(new AcceptorId(2, 5)), new byte[] {1, 2, 3});

  private static Decision largest() {
    List<AcceptorId> acceptors = new ArrayList<>();
    for (int node = 0; node < AgreementEncoding.ACCEPTORS_MAX; node++) {
      acceptors.add(new AcceptorId(node, -node));
    }
    return new Decision(Long.MAX_VALUE, acceptors, new byte[AgreementEncoding.CONTENT_LENGTH_MAX]);
  }

  private static List<AgreementRequest> requests() {
    return List.of(
        new AgreementRequest.Inquire(),
        new AgreementRequest.Prepare(4, 1, BALLOT),
        new AgreementRequest.Accept(4, BALLOT, SMALL),
        new AgreementRequest.Accept(-1, BALLOT, largest()),
        new AgreementRequest.Learn(SMALL));
  }

  private static List<AgreementReply> replies() {
    return List.of(
        new AgreementReply.Known(4, null),
        new AgreementReply.Known(4, SMALL),
        new AgreementReply.Promised(Ballot.NONE, null),
        new AgreementReply.Promised(BALLOT, largest()),
        new AgreementReply.Accepted(),
        new AgreementReply.Refused(BALLOT),
        new AgreementReply.Outdated(SMALL),
        new AgreementReply.Behind(),
        new AgreementReply.Forgotten(9));
  }

  @Test
  void shouldDecodeEncodedMessagesAndStates() {
    for (AgreementRequest each : requests()) {
      assertEquals(each, AgreementEncoding.request(AgreementEncoding.encode(each)));
    }
    for (AgreementReply each : replies()) {
      assertEquals(each, AgreementEncoding.reply(AgreementEncoding.encode(each)));
    }
    AcceptorState state = new AcceptorState(SMALL, BALLOT, BALLOT, largest());
    assertEquals(state, AgreementEncoding.state(AgreementEncoding.encode(state)));
    byte[] empty = AgreementEncoding.encode(AcceptorState.EMPTY);
    assertEquals(AcceptorState.EMPTY, AgreementEncoding.state(empty));
  }

  @Test
  void shouldRejectTruncatedOrExtendedRequests() {
    for (AgreementRequest each : requests()) {
      byte[] bytes = AgreementEncoding.encode(each);
      for (int length = 0; length < Math.min(bytes.length, 200); length++) {
        byte[] part = Arrays.copyOf(bytes, length);
        assertThrows(IllegalArgumentException.class, () -> AgreementEncoding.request(part));
      }
      byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
      assertThrows(IllegalArgumentException.class, () -> AgreementEncoding.request(more));
    }
  }

  @Test
  void shouldDecodeOrRejectDamagedRequests() {
    SplittableRandom random = new SplittableRandom(1);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = AgreementEncoding.encode(requests().get(random.nextInt(3)));
      for (int damage = random.nextInt(3); damage > 0; damage--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(-2, 3);
      }
      try {
        assertArrayEquals(bytes, AgreementEncoding.encode(AgreementEncoding.request(bytes)));
        read++;
      } catch (IllegalArgumentException e) {
        // rejected
      }
    }
    assertTrue(read > 1_000);
  }
}
