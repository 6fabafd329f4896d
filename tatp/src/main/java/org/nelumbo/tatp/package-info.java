/** TATP as a subcommand of {@code nelumbo bench}: options, settings, the workload. */
package org.nelumbo.tatp;
