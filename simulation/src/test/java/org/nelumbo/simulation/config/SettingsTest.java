package org.nelumbo.simulation.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.simulation.fabric.FabricModel;

class SettingsTest {
  private static Settings settings(String text) throws IOException {
    return Settings.read("test", new StringReader(text));
  }

  @ParameterizedTest
  @CsvSource({"250ns,250", "2us,2000", "1.5 ms,1500000", "3s,3000000000"})
  void shouldReadDurations(String text, long nanos) throws IOException {
    assertEquals(nanos, settings("t=" + text).nanos("t", "0ns"));
  }

  @Test
  void shouldReadSizesRatesAndChoices() throws IOException {
    Settings settings = settings("s=64KiB\nr=2.5M\nc=no-wait\nf=true\np=0.25\nn=12");
    assertEquals(65_536, settings.bytes("s", "0"));
    assertEquals(2.5e6, settings.number("r", 0));
    assertEquals(
        ConflictPolicy.NO_WAIT,
        settings.choice("c", ConflictPolicy.class, ConflictPolicy.WAIT_DIE));
    assertTrue(settings.flag("f", false));
    assertEquals(0.25, settings.probability("p", 0));
    assertEquals(12, settings.integer("n", 0));
    settings.refuseUnknown();
  }

  @ParameterizedTest
  @CsvSource({"t=5,t = 5 is not a duration", "t=2 parsecs,t = 2 parsecs is not a duration"})
  void shouldNameTheKeyThatIsWrong(String text, String message) throws IOException {
    Settings settings = settings(text);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> settings.nanos("t", "0ns"));
    assertTrue(e.getMessage().startsWith("test: " + message), e.getMessage());
  }

  @Test
  void shouldRefuseUnknownKeysAndListTheKnownOnes() throws IOException {
    Settings settings = settings("clients=3\nclientz=4");
    settings.integer("clients", 1);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, settings::refuseUnknown);
    assertTrue(e.getMessage().contains("unknown key clientz; known are clients"), e.getMessage());
  }

  @Test
  void shouldChangeSingleFiguresOfAPreset() throws IOException {
    FabricModel model = FabricModel.of(settings("fabric=lotus-56g\nfabric.atomic-rate=1M"));
    assertEquals(1000.0, model.atomic());
    assertEquals(FabricModel.preset("lotus-56g").roundTrip(), model.roundTrip());
  }

  @Test
  void shouldResolveAllPresets() {
    for (String name : FabricModel.PRESETS) {
      assertEquals(name, FabricModel.preset(name).name());
    }
    assertThrows(IllegalArgumentException.class, () -> FabricModel.preset("carrier-pigeon"));
  }
}
