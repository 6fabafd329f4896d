/**
 * The key-value benchmark of the LOTUS paper (section 8.2) as a subcommand of {@code nelumbo
 * bench}.
 *
 * <p>{@link org.nelumbo.kv.KvCommand} reads the options, {@link org.nelumbo.kv.KvWorkload} puts
 * schema, load, terminals and checks together, {@link org.nelumbo.kv.Deviations} says where a run
 * departs from the definition, for its report.
 */
package org.nelumbo.kv;
