/**
 * TATP, the telecom application transaction processing benchmark, as a subcommand of {@code nelumbo
 * bench}.
 *
 * <p>{@link org.nelumbo.tatp.TatpCommand} reads the options, {@link org.nelumbo.tatp.TatpWorkload}
 * puts schema, load, terminals and checks together, {@link org.nelumbo.tatp.Deviations} says where
 * a run departs from the definition, for its report.
 */
package org.nelumbo.tatp;
