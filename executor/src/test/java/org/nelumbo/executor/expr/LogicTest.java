package org.nelumbo.executor.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.expr.ExpressionFixture.assertShows;
import static org.nelumbo.executor.expr.ExpressionFixture.bool;
import static org.nelumbo.executor.expr.ExpressionFixture.integer;
import static org.nelumbo.executor.expr.ExpressionFixture.list;
import static org.nelumbo.executor.expr.ExpressionFixture.show;
import static org.nelumbo.executor.expr.ExpressionFixture.text;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.error.ErrorCode;

class LogicTest {
  private static Boolean parse(String text) {
    return text.equals("NULL") ? null : Boolean.valueOf(text);
  }

  @ParameterizedTest
  @CsvSource({
    "TRUE, TRUE, TRUE, TRUE",
    "TRUE, FALSE, FALSE, TRUE",
    "TRUE, NULL, NULL, TRUE",
    "FALSE, TRUE, FALSE, TRUE",
    "FALSE, FALSE, FALSE, FALSE",
    "FALSE, NULL, FALSE, NULL",
    "NULL, TRUE, NULL, TRUE",
    "NULL, FALSE, FALSE, NULL",
    "NULL, NULL, NULL, NULL"
  })
  void shouldFollowThreeValuedLogic(String a, String b, String and, String or) {
    assertShows(and, Expressions.and(bool(parse(a)), bool(parse(b))));
    assertShows(or, Expressions.or(bool(parse(a)), bool(parse(b))));
    assertShows(and, Expressions.and(bool(true), bool(parse(a)), bool(parse(b))));
    assertShows(or, Expressions.or(bool(false), bool(parse(a)), bool(parse(b))));
  }

  @ParameterizedTest
  @CsvSource({"TRUE, FALSE", "FALSE, TRUE", "NULL, NULL"})
  void shouldNegate(String a, String not) {
    assertShows(not, Expressions.not(bool(parse(a))));
  }

  @ParameterizedTest
  @CsvSource({
    "TRUE, TRUE, FALSE, FALSE, TRUE",
    "FALSE, FALSE, TRUE, TRUE, FALSE",
    "NULL, FALSE, TRUE, FALSE, TRUE"
  })
  void shouldTestTruth(
      String a, String isTrue, String isNotTrue, String isFalse, String isNotFalse) {
    assertShows(isTrue, Expressions.isTrue(bool(parse(a))));
    assertShows(isNotTrue, Expressions.isNotTrue(bool(parse(a))));
    assertShows(isFalse, Expressions.isFalse(bool(parse(a))));
    assertShows(isNotFalse, Expressions.isNotFalse(bool(parse(a))));
  }

  @Test
  void shouldTestForNull() {
    assertShows("TRUE", Expressions.isNull(integer(null)));
    assertShows("FALSE", Expressions.isNull(integer(0)));
    assertShows("TRUE", Expressions.isNotNull(text("")));
    assertShows("FALSE", Expressions.isNotNull(text(null)));
  }

  @Test
  void shouldTreatNullsAsEqualInDistinctFrom() {
    assertShows("FALSE", Expressions.isDistinctFrom(integer(null), integer(null)));
    assertShows("TRUE", Expressions.isDistinctFrom(integer(null), integer(1)));
    assertShows("TRUE", Expressions.isDistinctFrom(integer(2), integer(1)));
    assertShows("FALSE", Expressions.isDistinctFrom(integer(1), integer(1)));
    assertShows("TRUE", Expressions.isNotDistinctFrom(text(null), text(null)));
    assertShows("FALSE", Expressions.isNotDistinctFrom(text("a"), text(null)));
  }

  @Test
  void shouldNotEvaluateUntakenBranches() {
    Expression fails =
        NumericFunctions.arithmetic(
            ArithmeticOp.DIVIDE, ExpressionFixture.INTEGER, integer(1), integer(0));
    assertShows(
        "7",
        Expressions.caseWhen(ExpressionFixture.INTEGER, list(bool(true)), list(integer(7)), fails));
    assertShows(
        "NULL",
        Expressions.caseWhen(ExpressionFixture.INTEGER, list(bool(null)), list(fails), null));
    assertShows(
        "5",
        Expressions.coalesce(ExpressionFixture.INTEGER, list(integer(null), integer(5), fails)));
    ExpressionFixture.assertFails(ErrorCode.DIVISION_BY_ZERO, () -> fails);
  }

  @Test
  void shouldStopAndOrAtTheDecidingOperand() {
    Expression fails =
        Expressions.compare(
            CompareOp.EQ,
            NumericFunctions.arithmetic(
                ArithmeticOp.DIVIDE, ExpressionFixture.INTEGER, integer(1), integer(0)),
            integer(1));
    assertShows("FALSE", Expressions.and(bool(false), fails));
    assertShows("TRUE", Expressions.or(bool(true), fails));
  }

  @Test
  void shouldBringCaseResultsToOneType() {
    Expression number =
        Expressions.caseWhen(
            org.nelumbo.types.ColumnType.decimal(6, 2),
            list(bool(false)),
            list(integer(1)),
            ExpressionFixture.dec(5, 1, "2.5"));
    assertShows("2.50", number);
  }

  @Test
  void shouldReturnNullIfEqual() {
    assertShows("NULL", Expressions.nullIf(integer(1), integer(1)));
    assertShows("1", Expressions.nullIf(integer(1), integer(2)));
    assertShows("1", Expressions.nullIf(integer(1), integer(null)));
    assertShows("NULL", Expressions.nullIf(integer(null), integer(1)));
  }

  @Test
  void shouldFindTheGreatestAndLeast() {
    assertShows(
        "3",
        Expressions.greatest(ExpressionFixture.INTEGER, list(integer(1), integer(3), integer(2))));
    assertShows(
        "1",
        Expressions.least(ExpressionFixture.INTEGER, list(integer(3), integer(1), integer(2))));
    assertShows(
        "NULL", Expressions.greatest(ExpressionFixture.INTEGER, list(integer(3), integer(null))));
  }

  @Test
  void shouldFollowThreeValuedLogicInLists() {
    Expression one = Expressions.literal(ExpressionFixture.INTEGER, 1L);
    Expression two = Expressions.literal(ExpressionFixture.INTEGER, 2L);
    Expression none = Expressions.nullOf(ExpressionFixture.INTEGER);
    for (boolean constants : new boolean[] {true, false}) {
      Expression a = constants ? one : integer(1);
      Expression b = constants ? two : integer(2);
      Expression n = constants ? none : integer(null);
      assertShows("TRUE", Expressions.in(integer(2), list(a, b)));
      assertShows("FALSE", Expressions.in(integer(3), list(a, b)));
      assertShows("TRUE", Expressions.in(integer(1), list(n, a)));
      assertShows("NULL", Expressions.in(integer(3), list(n, a)));
      assertShows("NULL", Expressions.in(integer(null), list(a, b)));
      assertShows("NULL", Expressions.not(Expressions.in(integer(3), list(n, a))));
    }
  }

  @Test
  void shouldFoldConstantsButNotErrors() {
    Expression sum =
        NumericFunctions.arithmetic(
            ArithmeticOp.PLUS,
            ExpressionFixture.INTEGER,
            Expressions.literal(ExpressionFixture.INTEGER, 1L),
            Expressions.literal(ExpressionFixture.INTEGER, 2L));
    assertEquals("3", sum.toString());
    Expression error =
        NumericFunctions.arithmetic(
            ArithmeticOp.DIVIDE,
            ExpressionFixture.INTEGER,
            Expressions.literal(ExpressionFixture.INTEGER, 1L),
            Expressions.literal(ExpressionFixture.INTEGER, 0L));
    assertEquals("(1 / 0)", error.toString());
    assertEquals(
        "NULL", show(Expressions.and(bool(null), Expressions.nullOf(ExpressionFixture.BOOLEAN))));
  }
}
