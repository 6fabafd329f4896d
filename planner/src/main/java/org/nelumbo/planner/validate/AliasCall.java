package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.AliasNamespace;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;

/**
 * An AS call that renames only the first columns of a table: {@code t AS a (x)}. The remaining
 * columns keep their names, which are added to the operands when the columns of the table are
 * known.
 */
final class AliasCall extends SqlBasicCall {
  private final List<SqlNode> added = new ArrayList<>();

  private AliasCall(SqlCall call) {
    super(SqlStdOperatorTable.AS, call.getOperandList(), call.getParserPosition());
  }

  /** Returns an extensible call if the node is an AS call with column names; else the node. */
  static SqlNode of(SqlNode node) {
    return node instanceof SqlCall call
            && call.getKind() == SqlKind.AS
            && call.operandCount() > 2
            && !(call instanceof AliasCall)
        ? new AliasCall(call)
        : node;
  }

  /** Adds the names of the columns that are not renamed. */
  void complete(RelDataType row) {
    added.addAll(unnamed(row, operandCount() - 2, getParserPosition()));
  }

  /** Extends a list of names by the names of the columns of a query that it does not cover. */
  static void complete(SqlNodeList names, RelDataType row) {
    names.addAll(unnamed(row, names.size(), names.getParserPosition()));
  }

  /**
   * Returns a namespace that names all columns of the table if the given one belongs to such a
   * call; else the given one.
   */
  static SqlValidatorNamespace named(SqlValidatorImpl validator, SqlValidatorNamespace namespace) {
    return namespace instanceof AliasNamespace && namespace.getNode() instanceof AliasCall call
        ? new CompletedNamespace(validator, call, namespace.getEnclosingNode())
        : namespace;
  }

  private static final class CompletedNamespace extends AliasNamespace {
    private final AliasCall names;

    CompletedNamespace(SqlValidatorImpl validator, AliasCall names, SqlNode enclosing) {
      super(validator, names, enclosing);
      this.names = names;
    }

    @Override
    protected RelDataType validateImpl(RelDataType target) {
      names.complete(validator.getNamespace(names.operand(0)).getRowTypeSansSystemColumns());
      return super.validateImpl(target);
    }
  }

  private static List<SqlNode> unnamed(RelDataType row, int named, SqlParserPos position) {
    List<SqlNode> names = new ArrayList<>();
    for (String name :
        row.getFieldNames().subList(Math.min(named, row.getFieldCount()), row.getFieldCount())) {
      names.add(new SqlIdentifier(name, position));
    }
    return names;
  }

  @Override
  public List<SqlNode> getOperandList() {
    if (added.isEmpty()) {
      return super.getOperandList();
    }
    List<SqlNode> all = new ArrayList<>(super.getOperandList());
    all.addAll(added);
    return all;
  }

  @Override
  public int operandCount() {
    return super.operandCount() + added.size();
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as in SqlCall
  public <S extends SqlNode> S operand(int i) {
    int count = super.operandCount();
    return i < count ? super.operand(i) : (S) added.get(i - count);
  }
}
