package org.nelumbo.examples.jooq;

import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.partitionBy;
import static org.jooq.impl.DSL.rank;
import static org.jooq.impl.DSL.table;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** An example of jOOQ: sales by city, and the rank of each. */
public final class Report {
  private static final Table<Record> SALE = table(name("sale"));
  private static final Field<Integer> ID = field(name("id"), SQLDataType.INTEGER);
  private static final Field<String> CITY = field(name("city"), SQLDataType.VARCHAR(20));
  private static final Field<BigDecimal> AMOUNT = field(name("amount"), SQLDataType.DECIMAL(10, 2));

  private Report() {}

  /**
   * Runs the example.
   *
   * @param arguments the URL of a database, or nothing
   */
  public static void main(String[] arguments) throws SQLException {
    String url = arguments.length > 0 ? arguments[0] : "jdbc:nelumbo:mem:report";
    Settings settings = new Settings().withRenderQuotedNames(RenderQuotedNames.NEVER);
    try (Connection connection = DriverManager.getConnection(url)) {
      DSLContext jooq = DSL.using(connection, SQLDialect.POSTGRES, settings);
      jooq.createTable(SALE)
          .column(ID, SQLDataType.INTEGER.notNull())
          .column(CITY)
          .column(AMOUNT)
          .constraints(DSL.primaryKey(ID))
          .execute();
      jooq.insertInto(SALE, ID, CITY, AMOUNT)
          .values(1, "Bern", new BigDecimal("10"))
          .values(2, "Bern", new BigDecimal("30"))
          .values(3, "Oslo", new BigDecimal("5"))
          .execute();
      jooq.insertInto(SALE, ID, CITY, AMOUNT)
          .values(3, "Oslo", new BigDecimal("7"))
          .onConflict(ID)
          .doUpdate()
          .set(AMOUNT, excluded(AMOUNT))
          .execute();
      Field<Integer> place = rank().over(partitionBy(CITY).orderBy(AMOUNT.desc())).as("place");
      jooq.select(CITY, AMOUNT, place)
          .from(SALE)
          .orderBy(CITY, place)
          .forEach(
              row ->
                  System.out.println(
                      row.value1() + " " + row.value2() + " is number " + row.value3()));
    }
  }
}
