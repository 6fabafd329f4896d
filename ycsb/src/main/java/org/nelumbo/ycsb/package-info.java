/**
 * The core workloads of YCSB as a subcommand of {@code nelumbo bench}.
 *
 * <p>{@link org.nelumbo.ycsb.YcsbCommand} parses the options, {@link org.nelumbo.ycsb.YcsbWorkload}
 * combines schema, load, terminals and checks, and {@link org.nelumbo.ycsb.Deviations} lists the
 * deviations from the definition for the report.
 */
package org.nelumbo.ycsb;
