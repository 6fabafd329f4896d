package org.nelumbo.database.plancache;

import java.util.Map;
import org.nelumbo.planner.frontend.PlanTimes;

/**
 * Compilations of statements since this process opened the database, including failed ones.
 *
 * @param compilations number of compiled texts; commands are only parsed
 * @param nanos total duration of each stage
 */
public record CompilationCounts(long compilations, Map<PlanTimes.Stage, Long> nanos) {
  public CompilationCounts {
    nanos = Map.copyOf(nanos);
  }
}
