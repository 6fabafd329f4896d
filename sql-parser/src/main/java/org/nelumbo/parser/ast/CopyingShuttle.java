package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlShuttle;

/** Copies a tree with all its nodes, so that both can be validated, which changes the nodes. */
public final class CopyingShuttle extends SqlShuttle {
  @Override
  public SqlNode visit(SqlCall call) {
    CallCopyingArgHandler handler = new CallCopyingArgHandler(call, true);
    call.getOperator().acceptCall(this, call, false, handler);
    return handler.result();
  }

  @Override
  public SqlNode visit(SqlIdentifier name) {
    return name.clone(name.getParserPosition());
  }

  @Override
  public SqlNode visit(SqlLiteral literal) {
    return literal.clone(literal.getParserPosition());
  }

  @Override
  public SqlNode visit(SqlDynamicParam parameter) {
    return parameter.clone(parameter.getParserPosition());
  }

  @Override
  public SqlNode visit(SqlDataTypeSpec type) {
    return type.clone(type.getParserPosition());
  }
}
