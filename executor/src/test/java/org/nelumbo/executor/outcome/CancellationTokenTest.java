package org.nelumbo.executor.outcome;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.context.FailStop;

class CancellationTokenTest {
  private final FailStop failStop = new FailStop(_ -> {});
  private boolean isAwaited;
  private final CancellationToken token =
      new CancellationToken(new SystemEnvironment(), failStop::check, () -> isAwaited);

  @Test
  void shouldReportCancelledStatement() {
    token.arm(0);
    token.cancel();
    assertTrue(token.isSet());
    assertEquals(ErrorCode.CANCELLED, token.failure().code());
  }

  @Test
  void shouldReportSerializationFailureWhenAwaited() {
    token.arm(0);
    isAwaited = true;
    assertTrue(token.isSet());
    assertFalse(token.isCancelled());
    assertEquals(ErrorCode.SERIALIZATION_FAILURE, token.failure().code());
    token.cancel();
    assertEquals(ErrorCode.CANCELLED, token.failure().code());
  }

  /** The following token is of a coordinator that works for a statement of another one. */
  @Test
  void shouldFollowTokenOfAwaitedTransaction() {
    CancellationToken following = new CancellationToken(new SystemEnvironment());
    following.follow(token);
    assertFalse(following.isSet());
    isAwaited = true;
    assertTrue(following.isSet());
    assertEquals(ErrorCode.SERIALIZATION_FAILURE, following.failure().code());
  }

  /** Closing a stopped database stops its sessions, too; that is not a cancellation. */
  @Test
  void shouldReportStoppedDatabase() {
    token.arm(0);
    failStop.note(new IllegalStateException("half way"));
    token.cancel();
    NelumboException e = assertThrows(NelumboException.class, token::failure);
    assertEquals(ErrorCode.CONNECTION_LOST, e.code());
  }
}
