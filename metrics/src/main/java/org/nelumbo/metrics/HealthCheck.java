package org.nelumbo.metrics;

/**
 * Health of a process for an orchestrator, which restarts a process that is not healthy, and sends
 * no work to a process that is not ready.
 */
public interface HealthCheck {
  /** A check that is always healthy and ready. */
  HealthCheck NONE =
      new HealthCheck() {
        @Override
        public String illness() {
          return "";
        }

        @Override
        public String unreadiness() {
          return "";
        }
      };

  /** Returns the problem that only a restart solves; empty if the process is healthy. */
  String illness();

  /** Returns the reason why the process is not ready; empty if it is. */
  String unreadiness();
}
