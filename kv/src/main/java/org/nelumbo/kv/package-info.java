/**
 * The key-value benchmark of the LOTUS paper (section 8.2) as a subcommand of {@code nelumbo
 * bench}.
 *
 * <p>{@link org.nelumbo.kv.KvCommand} parses the options, {@link org.nelumbo.kv.KvWorkload}
 * combines schema, load, terminals and checks, and {@link org.nelumbo.kv.Deviations} lists the
 * deviations from the paper for the report.
 */
package org.nelumbo.kv;
