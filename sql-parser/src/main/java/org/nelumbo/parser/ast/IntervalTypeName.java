package org.nelumbo.parser.ast;

import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.util.Litmus;

/**
 * An interval type: INTERVAL YEAR TO MONTH, INTERVAL DAY TO SECOND, or with other fields. INTERVAL
 * without fields has months, days and microseconds in PostgreSQL. Here it is DAY TO SECOND, but a
 * string that is cast to it names its own fields.
 */
public final class IntervalTypeName extends SqlTypeNameSpec {
  private final SqlIntervalQualifier fields;

  /**
   * Creates an interval type.
   *
   * @param fields null if there are none
   */
  public IntervalTypeName(SqlIntervalQualifier fields, SqlParserPos pos) {
    super(new SqlIdentifier("INTERVAL", pos), pos);
    this.fields = fields;
  }

  /** Returns true if the type has no fields. */
  public boolean isBare() {
    return fields == null;
  }

  @Override
  public RelDataType deriveType(SqlValidator validator) {
    SqlIntervalQualifier meant =
        fields == null
            ? new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, getParserPos())
            : fields;
    return validator.getTypeFactory().createSqlIntervalType(meant);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("INTERVAL");
    if (fields != null) {
      fields.unparse(writer, leftPrec, rightPrec);
    }
  }

  @Override
  public boolean equalsDeep(SqlTypeNameSpec other, Litmus litmus) {
    boolean same =
        other instanceof IntervalTypeName interval
            && (fields == null ? interval.fields == null : sameFields(interval.fields, litmus));
    return same ? litmus.succeed() : litmus.fail("{} != {}", this, other);
  }

  private boolean sameFields(SqlIntervalQualifier others, Litmus litmus) {
    return others != null && fields.equalsDeep(others, litmus);
  }
}
