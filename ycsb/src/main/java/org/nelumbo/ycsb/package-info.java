/**
 * The core workloads of YCSB as a subcommand of {@code nelumbo bench}.
 *
 * <p>{@link org.nelumbo.ycsb.YcsbCommand} reads the options, {@link org.nelumbo.ycsb.YcsbWorkload}
 * puts schema, load, terminals and checks together, {@link org.nelumbo.ycsb.Deviations} says where
 * a run departs from the definition, for its report.
 */
package org.nelumbo.ycsb;
