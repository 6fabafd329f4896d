package org.nelumbo.soak.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens the files of a real run at some crash points: all acknowledged commits are present. */
class CrashPointsTest {
  private static final int POINTS = 40;

  @TempDir private Path place;

  @Test
  void shouldRecoverAcknowledgedCommitsAtEachCrashPoint() throws Exception {
    CrashPoints run = new CrashPoints(place, 1);
    run.record();
    run.open(POINTS);
    assertEquals(POINTS, run.points() - run.reopened());
    assertTrue(run.reopened() > 0 && run.restored() > 0);
  }

  @Test
  void shouldDetectLossWithoutForces() throws Exception {
    CrashPoints run = new CrashPoints(place, 2);
    run.record();
    List<DiskTrace.Step> unforced =
        run.steps().stream().filter(step -> !(step instanceof DiskTrace.Forced)).toList();
    assertThrows(IllegalStateException.class, () -> run.open(POINTS, unforced));
  }
}
