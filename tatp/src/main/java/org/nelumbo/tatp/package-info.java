/**
 * TATP, the telecom application transaction processing benchmark, as a subcommand of {@code nelumbo
 * bench}.
 *
 * <p>{@link org.nelumbo.tatp.TatpCommand} parses the options, {@link org.nelumbo.tatp.TatpWorkload}
 * combines schema, load, terminals and checks, and {@link org.nelumbo.tatp.Deviations} lists the
 * deviations from the specification for the report.
 */
package org.nelumbo.tatp;
