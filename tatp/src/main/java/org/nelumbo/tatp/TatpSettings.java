package org.nelumbo.tatp;

import org.nelumbo.benchmark.TerminalSettings;

/**
 * The settings of TATP.
 *
 * @param subscribers number of subscribers, at least 1
 * @param uniform true if all subscribers are drawn equally often, contrary to the specification
 * @param terminals settings of the terminals
 */
record TatpSettings(int subscribers, boolean uniform, TerminalSettings terminals) {
  /** The smallest population in the specification. */
  static final int SUBSCRIBERS_SPEC = 100_000;
}
