package org.nelumbo.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.Supplier;
import org.nelumbo.database.DatabaseStatistics;
import org.nelumbo.planner.frontend.PlanTimes;

/** Meters of the plan cache, and of the compilations of statements that it does not contain. */
final class PlanMetrics implements MeterBinder {
  private static final double NANOS = 1e9;

  private final Supplier<DatabaseStatistics> statistics;
  private final String database;

  PlanMetrics(Supplier<DatabaseStatistics> statistics, String database) {
    this.statistics = statistics;
    this.database = database;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("nelumbo.plans.cached", statistics, each -> each.get().cachedPlans())
        .tag("database", database)
        .description("Statements with cached plans")
        .register(registry);
    FunctionCounter.builder(
            "nelumbo.plans.compiled", statistics, each -> each.get().compilations().compilations())
        .tag("database", database)
        .description("Statements that were parsed and planned, failed ones included")
        .register(registry);
    for (PlanTimes.Stage stage : PlanTimes.Stage.values()) {
      FunctionCounter.builder(
              "nelumbo.plans.compile.seconds",
              statistics,
              each -> each.get().compilations().nanos().get(stage) / NANOS)
          .tag("database", database)
          .tag("stage", stage.name().toLowerCase(Locale.ROOT))
          .description("Total time of the stages of these compilations")
          .register(registry);
    }
  }
}
