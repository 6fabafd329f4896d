package org.nelumbo.tatp.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.tatp.TestRegister;

/** Damages the register in several ways and checks that each is reported. */
class ChecksTest {
  private TestRegister register;

  @BeforeEach
  void load() throws Exception {
    register = new TestRegister("jdbc:h2:mem:NAME");
    // the constraints would prevent some of the damage
    register.change("ALTER TABLE access_info DROP CONSTRAINT access_info_of");
    register.change("ALTER TABLE special_facility DROP CONSTRAINT special_facility_of");
    register.change("ALTER TABLE call_forwarding DROP CONSTRAINT call_forwarding_of");
  }

  @AfterEach
  void close() throws SQLException {
    register.close();
  }

  private List<String> broken() throws SQLException {
    return new Checks(register.database())
        .afterLoad(TestRegister.SUBSCRIBERS).stream()
            .filter(r -> !r.passed())
            .map(CheckResult::name)
            .toList();
  }

  @Test
  void shouldHoldAfterTheLoad() throws SQLException {
    assertEquals(List.of(), broken());
    double rows =
        register.loaded().accessInfos()
            + register.loaded().specialFacilities()
            + register.loaded().forwardings();
    assertEquals(8.75, rows / TestRegister.SUBSCRIBERS, 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO access_info VALUES (201, 1, 0, 0, 'a', 'b') | every subscriber has 1 to 4",
        "DELETE FROM special_facility WHERE s_id = 7 | every subscriber has 1 to 4",
        "INSERT INTO call_forwarding VALUES (7, 5, 0, 1, 'x') | call forwarding belongs",
        "UPDATE call_forwarding SET start_time = start_time + 1 WHERE s_id = (SELECT MIN(s_id)"
            + " FROM call_forwarding) | call forwarding starts at 0, 8 or 16",
        "UPDATE call_forwarding SET end_time = 0 WHERE s_id = (SELECT MIN(s_id)"
            + " FROM call_forwarding) | call forwarding ends 1 to 8 hours",
        "UPDATE subscriber SET sub_nbr = '000000000000777' WHERE s_id = 7 | telephone numbers are",
        "UPDATE access_info SET ai_type = 5 WHERE s_id = 7 AND ai_type = (SELECT MIN(ai_type) FROM"
            + " access_info WHERE s_id = 7) | types lie between",
        "DELETE FROM subscriber WHERE s_id = 7 | rows of subscriber",
        "DELETE FROM call_forwarding | rows of call_forwarding"
      })
  void shouldReportTheDamage(String damage, String condition) throws SQLException {
    register.change(damage);
    List<String> broken = broken();
    assertEquals(
        1, broken.stream().filter(name -> name.startsWith(condition)).count(), broken::toString);
  }
}
