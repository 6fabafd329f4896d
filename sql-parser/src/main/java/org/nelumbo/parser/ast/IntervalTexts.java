package org.nelumbo.parser.ast;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/** Interval literals of PostgreSQL whose text names the fields: INTERVAL '2 hours'. */
public final class IntervalTexts {
  private static final Set<String> MONTH_UNITS =
      Set.of(
          ("millennium millennia mil mils century centuries cent c decade decades dec decs year"
                  + " years yr yrs y month months mon mons")
              .split(" "));

  private static final Pattern UNIT = Pattern.compile("\\d\\s*([a-z]+)");
  private static final Pattern YEAR_AND_MONTH = Pattern.compile("\\d-\\d");
  private static final Pattern ISO = Pattern.compile("[+-]?p([^t]*)(t?).*");

  private IntervalTexts() {}

  /**
   * Returns the interval as a cast of the text: YEAR TO MONTH if it names years or months, else DAY
   * TO SECOND.
   */
  public static SqlNode interval(SqlParserPos pos, boolean negative, String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    boolean months = YEAR_AND_MONTH.matcher(lower).find();
    boolean time = lower.indexOf(':') >= 0;
    Matcher iso = ISO.matcher(lower);
    if (iso.matches()) {
      months = iso.group(1).matches(".*[ym].*");
      time = !iso.group(2).isEmpty() || iso.group(1).matches(".*[wd].*");
    } else {
      Matcher unit = UNIT.matcher(lower);
      while (unit.find()) {
        boolean ofMonths = MONTH_UNITS.contains(unit.group(1));
        months |= ofMonths;
        time |= !ofMonths;
      }
    }
    if (months && time) {
      throw SqlSyntaxException.unsupported(
          pos, "an interval has months, or days and a time, not both; write two intervals");
    }
    SqlNode cast =
        SqlStdOperatorTable.CAST.createCall(
            pos,
            SqlLiteral.createCharString(text, pos),
            new SqlIntervalQualifier(
                months ? TimeUnit.YEAR : TimeUnit.DAY,
                months ? TimeUnit.MONTH : TimeUnit.SECOND,
                pos));
    return negative ? SqlStdOperatorTable.UNARY_MINUS.createCall(pos, cast) : cast;
  }
}
