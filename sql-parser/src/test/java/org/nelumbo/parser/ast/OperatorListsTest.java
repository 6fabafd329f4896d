package org.nelumbo.parser.ast;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.SqlParserUtil;
import org.apache.calcite.sql.parser.SqlParserUtil.ToTreeListItem;
import org.apache.calcite.util.Litmus;
import org.junit.jupiter.api.Test;

/** Compares the trees for lists of operators with those that Calcite builds. */
class OperatorListsTest {
  private static final List<SqlOperator> BINARY =
      List.of(
          SqlStdOperatorTable.OR,
          SqlStdOperatorTable.AND,
          SqlStdOperatorTable.EQUALS,
          SqlStdOperatorTable.LESS_THAN,
          SqlStdOperatorTable.PLUS,
          SqlStdOperatorTable.MINUS,
          SqlStdOperatorTable.MULTIPLY,
          SqlStdOperatorTable.CONCAT,
          SqlStdOperatorTable.IS_DISTINCT_FROM);

  private final SplittableRandom random = new SplittableRandom(1);

  private static ToTreeListItem item(SqlOperator operator) {
    return new ToTreeListItem(operator, SqlParserPos.ZERO);
  }

  private static SqlNode name(int number) {
    return new SqlIdentifier("N" + number, SqlParserPos.ZERO);
  }

  private void assertSame(List<Object> list) {
    SqlNode expected = SqlParserUtil.toTree(new ArrayList<>(list));
    SqlNode actual = OperatorLists.toTree(new ArrayList<>(list));
    assertTrue(expected.equalsDeep(actual, Litmus.IGNORE), () -> expected + "\n" + actual);
  }

  @Test
  void shouldMakeTreesOfBinaryOperators() {
    for (int round = 0; round < 50; round++) {
      List<Object> list = new ArrayList<>(List.of(name(0)));
      for (int i = 1; i < 40; i++) {
        list.add(item(BINARY.get(random.nextInt(BINARY.size()))));
        list.add(name(i));
      }
      assertSame(list);
    }
  }

  @Test
  void shouldMakeTreesOfAllOperators() {
    for (int round = 0; round < 50; round++) {
      List<Object> list = new ArrayList<>();
      int before = 0;
      for (int i = 0; i < 40; i++) {
        int kind = random.nextInt(5);
        if (i > 0) {
          boolean connects = kind == 0 || before == 1 || before == 2;
          list.add(item(BINARY.get(random.nextInt(connects ? 2 : BINARY.size()))));
        }
        before = kind;
        if (kind == 0) {
          list.add(item(SqlStdOperatorTable.NOT));
        }
        list.add(name(i));
        if (kind == 1) {
          list.add(item(SqlStdOperatorTable.IS_NULL));
        } else if (kind == 2) {
          list.add(item(SqlStdOperatorTable.BETWEEN));
          list.add(name(100 + i));
          list.add(item(SqlStdOperatorTable.AND));
          list.add(name(200 + i));
        }
      }
      assertSame(list);
    }
  }

  @Test
  void shouldMakeTreesOfQueries() {
    List<Object> list = new ArrayList<>(List.of(name(0)));
    for (int i = 1; i < 40; i++) {
      list.add(item(i % 5 == 0 ? SqlStdOperatorTable.INTERSECT : SqlStdOperatorTable.UNION_ALL));
      list.add(name(i));
    }
    assertSame(list);
  }
}
