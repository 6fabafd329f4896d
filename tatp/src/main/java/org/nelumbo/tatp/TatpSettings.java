package org.nelumbo.tatp;

import org.nelumbo.benchmark.TerminalSettings;

/**
 * The settings of TATP.
 *
 * @param subscribers how many, at least 1
 * @param uniform whether all subscribers are drawn equally often, against the specification
 * @param terminals how they work
 */
record TatpSettings(int subscribers, boolean uniform, TerminalSettings terminals) {
  /** The smallest population the specification knows. */
  static final int SUBSCRIBERS_SPEC = 100_000;
}
