package org.nelumbo.jdbc.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.jdbc.Statements;

/** The nights of daylight saving changes in all time zones, compared with {@code java.time}. */
class TimeZoneNightTest {
  private static final Instant FROM = Instant.parse("2024-01-01T00:00:00Z");
  private static final Instant TO = Instant.parse("2025-01-01T00:00:00Z");
  private static final String[] UNITS = {
    "microsecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"
  };
  private static final int HOUR = 3;

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:");
    run(connection, "CREATE TABLE ev (t TIMESTAMP WITH TIME ZONE)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void shouldTruncateInEveryZone() throws SQLException {
    Set<List<ZoneOffsetTransition>> seen = new HashSet<>();
    for (String name : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
      ZoneId zone = ZoneId.of(name);
      List<ZoneOffsetTransition> nights = nights(zone);
      if (!nights.isEmpty() && seen.add(nights)) {
        check(zone, moments(nights));
      }
    }
    assertTrue(seen.size() > 20, "zones=" + seen.size());
  }

  private static List<ZoneOffsetTransition> nights(ZoneId zone) {
    List<ZoneOffsetTransition> nights = new ArrayList<>();
    ZoneOffsetTransition next = zone.getRules().nextTransition(FROM);
    while (next != null && next.getInstant().isBefore(TO)) {
      nights.add(next);
      next = zone.getRules().nextTransition(next.getInstant());
    }
    return nights;
  }

  private static List<Instant> moments(List<ZoneOffsetTransition> nights) {
    List<Instant> moments = new ArrayList<>();
    for (ZoneOffsetTransition night : nights) {
      for (int i = -9; i <= 9; i++) {
        moments.add(night.getInstant().plusSeconds(i * 17 * 60L + i).plusNanos(i * 1000L));
      }
      moments.add(night.getInstant());
      moments.add(night.getInstant().plusSeconds(30 * 3600));
    }
    return moments;
  }

  private void check(ZoneId zone, List<Instant> moments) throws SQLException {
    run(connection, "SET TIME ZONE '" + zone + "'", "DELETE FROM ev");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ev VALUES (?)")) {
      for (Instant moment : moments) {
        insert.setObject(1, moment.atOffset(ZoneOffset.UTC));
        insert.addBatch();
      }
      insert.executeBatch();
    }
    StringBuilder query = new StringBuilder("SELECT t");
    for (String unit : UNITS) {
      query.append(", DATE_TRUNC('").append(unit).append("', t)");
    }
    query.append(", FLOOR(t TO HOUR), CEIL(t TO HOUR) FROM ev");
    Set<Instant> hours = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query.toString())) {
      while (result.next()) {
        Instant moment = instant(result, 1);
        for (int i = 0; i < UNITS.length; i++) {
          Instant expected = truncated(UNITS[i], moment, zone);
          assertEquals(expected, instant(result, i + 2), UNITS[i] + " of " + moment + " " + zone);
        }
        Instant hour = truncated("hour", moment, zone);
        hours.add(hour);
        assertEquals(hour, instant(result, HOUR + UNITS.length - 1));
        assertEquals(
            hour.equals(moment) ? hour : hour.plusSeconds(3600),
            instant(result, HOUR + UNITS.length));
      }
    }
    assertEquals(
        hours.size(),
        Statements.number(
            connection,
            "SELECT COUNT(*) FROM (SELECT 1 FROM ev GROUP BY DATE_TRUNC('hour', t)) q"));
  }

  private static Instant instant(ResultSet result, int column) throws SQLException {
    return result.getObject(column, OffsetDateTime.class).toInstant();
  }

  /**
   * Truncates as PostgreSQL does: units shorter than a day keep the offset, and days begin when
   * they begin in the zone.
   */
  private static Instant truncated(String unit, Instant moment, ZoneId zone) {
    ZoneOffset offset = zone.getRules().getOffset(moment);
    LocalDate day = LocalDate.ofInstant(moment, zone);
    return switch (unit) {
      case "microsecond" -> moment;
      case "second" -> floor(moment, offset, 1);
      case "minute" -> floor(moment, offset, 60);
      case "hour" -> floor(moment, offset, 3600);
      case "day" -> start(day, zone);
      case "week" -> start(day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)), zone);
      case "month" -> start(day.withDayOfMonth(1), zone);
      case "quarter" ->
          start(day.withMonth((day.getMonthValue() - 1) / 3 * 3 + 1).withDayOfMonth(1), zone);
      default -> start(day.withDayOfYear(1), zone);
    };
  }

  private static Instant floor(Instant moment, ZoneOffset offset, int seconds) {
    long local = moment.getEpochSecond() + offset.getTotalSeconds();
    return Instant.ofEpochSecond(local - Math.floorMod(local, seconds) - offset.getTotalSeconds());
  }

  private static Instant start(LocalDate day, ZoneId zone) {
    return day.atStartOfDay(zone).toInstant();
  }
}
