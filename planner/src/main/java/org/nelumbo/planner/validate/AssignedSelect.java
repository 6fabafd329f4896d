package org.nelumbo.planner.validate;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * A query whose columns are stored in columns of a table. A parameter that is an item of its list
 * has the type of the target column, and a value that cannot be stored there is an error.
 */
public final class AssignedSelect extends SqlSelect {
  private final RelDataType targets;

  /**
   * Creates a query.
   *
   * @param targets types of the columns in which the items are stored
   * @param condition null if there is none
   */
  public AssignedSelect(
      SqlParserPos pos, SqlNodeList items, SqlNode from, SqlNode condition, RelDataType targets) {
    super(pos, null, items, from, condition, null, null, null, null, null, null, null, null);
    this.targets = targets;
  }

  @Override
  public void validate(SqlValidator validator, SqlValidatorScope scope) {
    validator.validateQuery(this, scope, targets);
    ((NelumboValidator) validator).checkAssignable(this, targets);
  }
}
