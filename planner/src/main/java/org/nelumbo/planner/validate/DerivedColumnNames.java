package org.nelumbo.planner.validate;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * Names query columns that are expressions without AS. The name is the text of the expression, such
 * as {@code A + 1} or {@code COUNT(*)}. A second column with the same text in a list remains
 * unnamed, because its name would be ambiguous. This runs before validation, because validation
 * rewrites expressions.
 */
public final class DerivedColumnNames extends SqlBasicVisitor<Void> {
  private static final Set<SqlKind> NAMED =
      Set.of(SqlKind.AS, SqlKind.IDENTIFIER, SqlKind.DYNAMIC_PARAM);

  private static final Pattern GENERATED = Pattern.compile("EXPR\\$(\\d+)");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private DerivedColumnNames() {}

  /** Names the columns of all queries in a statement. */
  static void give(SqlNode statement) {
    statement.accept(new DerivedColumnNames());
  }

  /**
   * Returns the given name, or C1, C2 and so on for a column that has none, such as a column of
   * VALUES.
   */
  public static String orNumbered(String name) {
    Matcher generated = GENERATED.matcher(name);
    return generated.matches() ? "C" + (Integer.parseInt(generated.group(1)) + 1) : name;
  }

  @Override
  public Void visit(SqlCall call) {
    if (call instanceof SqlSelect select) {
      SqlNodeList items = select.getSelectList();
      Set<String> texts = new HashSet<>();
      for (int i = 0; i < items.size(); i++) {
        SqlNode item = items.get(i);
        if (!NAMED.contains(item.getKind()) && !drawsNumber(item)) {
          String text = text(item);
          items.set(i, texts.add(text) ? named(item, text) : item);
        }
      }
    }
    return super.visit(call); // after naming, or the texts would include the names of nested items
  }

  /**
   * Returns true if an expression contains NEXT VALUE FOR or CURRENT VALUE FOR, which cannot be
   * unparsed alone.
   */
  private static boolean drawsNumber(SqlNode item) {
    return item instanceof SqlCall call
        && (call.getKind() == SqlKind.NEXT_VALUE
            || call.getKind() == SqlKind.CURRENT_VALUE
            || call.getOperandList().stream().anyMatch(DerivedColumnNames::drawsNumber));
  }

  private static SqlNode named(SqlNode item, String text) {
    SqlIdentifier name = new SqlIdentifier(text, item.getParserPosition());
    return SqlStdOperatorTable.AS.createCall(item.getParserPosition(), item, name);
  }

  /** Returns the text of an expression, on one line. */
  public static String text(SqlNode item) {
    String sql =
        item.toSqlString(
                config ->
                    config
                        .withQuoteAllIdentifiers(false)
                        .withSelectListItemsOnSeparateLines(false)
                        .withIndentation(0))
            .getSql();
    return BLANKS.matcher(sql).replaceAll(" ");
  }
}
