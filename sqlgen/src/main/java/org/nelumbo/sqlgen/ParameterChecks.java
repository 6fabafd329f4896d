package org.nelumbo.sqlgen;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;

/**
 * A check that a query has the same rows with parameters as with literals, for all setters. If the
 * query with literals is refused, the one with parameters may be refused, too.
 */
final class ParameterChecks {
  private final Dice dice;
  private final ParameterMaker maker;
  private int statements;

  ParameterChecks(Dice dice) {
    this.dice = dice;
    this.maker = new ParameterMaker(dice);
  }

  int statements() {
    return statements;
  }

  /** Runs one query both ways; returns null if the check passes. */
  FailedCheck check(DatabaseSession session) {
    ParameterMaker.Template template = maker.template();
    statements += 2;
    Outcome literal = session.run(template.plain());
    Outcome given =
        session.run(template.prepared(), statement -> bind(statement, template.constants()));
    boolean wrong =
        given instanceof Outcome.Fault
            || literal instanceof Outcome.Fault
            || literal instanceof Outcome.Rows rows
                && !(given instanceof Outcome.Rows others && rows.sorted().equals(others.sorted()));
    return wrong
        ? new FailedCheck(
            "parameter",
            template.prepared() + "\n  " + given + "\n  but " + template.plain() + "\n  " + literal)
        : null;
  }

  private void bind(PreparedStatement statement, List<Constant> constants) throws SQLException {
    for (int i = 0; i < constants.size(); i++) {
      set(statement, i + 1, constants.get(i).value());
    }
  }

  private void set(PreparedStatement statement, int number, Object value) throws SQLException {
    int setter = dice.below(3);
    switch (value) {
      case Integer whole when setter == 0 -> statement.setInt(number, whole);
      case Integer whole when setter == 1 -> statement.setLong(number, whole);
      case Integer whole when dice.chance(30) ->
          statement.setBigDecimal(number, BigDecimal.valueOf(whole));
      case Long whole when setter == 0 -> statement.setLong(number, whole);
      case BigDecimal decimal when setter == 0 -> statement.setBigDecimal(number, decimal);
      case Double real when setter == 0 -> statement.setDouble(number, real);
      case String text when setter == 0 -> statement.setString(number, text);
      case LocalDate day when setter == 0 -> statement.setDate(number, Date.valueOf(day));
      default -> statement.setObject(number, value);
    }
  }
}
