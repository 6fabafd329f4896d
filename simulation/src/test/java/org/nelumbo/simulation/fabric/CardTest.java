package org.nelumbo.simulation.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Service times of network cards: 100 ns a message, 400 ns an atomic, 1 ns a byte. */
class CardTest {
  private static final double EXACT = 1e-6;

  private static Card card(boolean overlaps, boolean atomicsApart) {
    return new Card(
        FabricModel.preset("local")
            .with(
                Map.of(
                    "read-write-rate", "10M",
                    "atomic-rate", "2.5M",
                    "bandwidth", "8G",
                    "card.overlaps", Boolean.toString(overlaps),
                    "card.atomics-apart", Boolean.toString(atomicsApart))));
  }

  @Test
  void shouldMoveBytesBeforeTheNextVerbIfSerial() {
    Card card = card(false, false);
    assertEquals(1_100, card.serve(0, VerbKind.READ, 1_000), EXACT);
    assertEquals(2_200, card.serve(0, VerbKind.WRITE, 1_000), EXACT);
    assertEquals(2_608, card.serve(0, VerbKind.CAS, 8), EXACT);
    assertEquals(108, card.serve(3_000, VerbKind.READ, 8), EXACT);
    assertEquals(2_716, card.busyNanos(), EXACT);
  }

  @Test
  void shouldMoveBytesInBothDirectionsBesideItsEngineIfOverlapping() {
    Card card = card(true, false);
    assertEquals(1_000, card.serve(0, VerbKind.READ, 1_000), EXACT);
    assertEquals(1_000, card.serve(0, VerbKind.WRITE, 1_000), EXACT);
    assertEquals(2_000, card.serve(0, VerbKind.READ, 1_000), EXACT);
    assertEquals(2_000, card.busyNanos(), EXACT);
  }

  @Test
  void shouldOccupyTheEngineByAtomicsUnlessTheyAreApart() {
    Card shared = card(true, false);
    assertEquals(400, shared.serve(0, VerbKind.FAA, 8), EXACT);
    assertEquals(500, shared.serve(0, VerbKind.WRITE, 8), EXACT);
    Card apart = card(true, true);
    assertEquals(400, apart.serve(0, VerbKind.FAA, 8), EXACT);
    assertEquals(200, apart.serve(0, VerbKind.WRITE, 8), EXACT);
    assertEquals(800, apart.serve(0, VerbKind.CAS, 8), EXACT);
  }
}
