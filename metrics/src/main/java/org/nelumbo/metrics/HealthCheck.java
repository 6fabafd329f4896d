package org.nelumbo.metrics;

/**
 * The answers of a process to those who look after it. Whoever is not healthy is to be started
 * anew; whoever is not ready is to be left in peace, and not to be relied on yet.
 */
public interface HealthCheck {
  /** Always healthy and ready. */
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

  /** What only a new start mends; empty if nothing is so wrong. */
  String illness();

  /** What it waits for; empty if it does all its work. */
  String unreadiness();
}
