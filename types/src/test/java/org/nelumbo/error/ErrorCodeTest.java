package org.nelumbo.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCodeTest {
  private static final Set<String> ENDING =
      Set.of(
          "08001", "08003", "08006", "08007", "40001", "40003", "53000", "53200", "53400", "54001",
          "57014", "57P01", "57P03", "58030", "XX000", "XX001");

  /** SQLStates of two errors each, one of which ends the transaction. */
  private static final Set<String> SHARED = Set.of("53200", "54001");

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # SQLState, ends the transaction, retryable, unknown outcome
          08001,      true,                 false,     false
          08003,      true,                 false,     false
          08006,      true,                 false,     false
          08007,      true,                 false,     true
          40001,      true,                 true,      false
          40003,      true,                 false,     true
          53000,      true,                 false,     false
          53400,      true,                 false,     false
          57014,      true,                 false,     false
          57P01,      true,                 false,     false
          58030,      true,                 false,     false
          XX000,      true,                 false,     false
          XX001,      true,                 false,     false
          23505,      false,                false,     false
          25P02,      false,                false,     false
          42601,      false,                false,     false
          53200,      false,                false,     false
          55P03,      false,                false,     false
          """)
  void shouldDefineEffectOnTransaction(
      String sqlState, boolean ends, boolean retryable, boolean unknown) {
    ErrorCode code = ErrorCode.ofSqlState(sqlState);
    assertEquals(sqlState, code.sqlState());
    assertEquals(ends, code.endsTransaction());
    assertEquals(retryable, code.isRetryable());
    assertEquals(unknown, code.unknownOutcome());
  }

  @Test
  void shouldEndTheTransactionForTheseErrorsOnly() {
    assertEquals(
        ENDING,
        Arrays.stream(ErrorCode.values())
            .filter(ErrorCode::endsTransaction)
            .map(ErrorCode::sqlState)
            .collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeFoundByItsSqlState(ErrorCode code) {
    ErrorCode found = ErrorCode.ofSqlState(code.sqlState());
    assertEquals(code.sqlState(), found.sqlState());
    assertTrue(found == code || SHARED.contains(code.sqlState()), code::name);
  }

  /** An error that is thrown during an operation ends the transaction; a refusal does not. */
  @Test
  void shouldDistinguishExhaustionFromRejection() {
    assertFalse(ErrorCode.OUT_OF_MEMORY.endsTransaction());
    assertTrue(ErrorCode.HEAP_EXHAUSTED.endsTransaction());
    assertFalse(ErrorCode.STATEMENT_TOO_COMPLEX.endsTransaction());
    assertTrue(ErrorCode.STACK_EXHAUSTED.endsTransaction());
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndTransactionIfRetryableOrOutcomeIsUnknown(ErrorCode code) {
    assertTrue(code.endsTransaction() || !code.isRetryable() && !code.unknownOutcome());
    assertFalse(code.isRetryable() && code.unknownOutcome());
  }

  @Test
  void shouldMapUnknownSqlStateToInternalError() {
    assertEquals(ErrorCode.INTERNAL, ErrorCode.ofSqlState("99999"));
    assertEquals(ErrorCode.INTERNAL, ErrorCode.ofSqlState(null));
  }
}
