package org.nelumbo.planner.validate;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * A query whose columns are going to be stored: a parameter alone in its list has the type of the
 * column it is stored in, and a value that cannot be stored there is refused.
 */
public final class AssignedSelect extends SqlSelect {
  private final RelDataType targets;

  /**
   * A query.
   *
   * @param targets what each item of the list is stored in
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
