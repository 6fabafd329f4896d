/**
 * The command line of the product: {@link org.nelumbo.cli.NelumboCommand} and its subcommands.
 *
 * <p>{@code sql} is a prompt for any JDBC URL, {@code memory-node} runs a memory node as a process,
 * {@code status} prints the state of memory nodes and compute nodes. Benchmarks, the simulator and
 * the other research tools add their own subcommands in the launcher; they share {@link
 * org.nelumbo.cli.ExitStatus} and {@link org.nelumbo.cli.DurationConverter}.
 */
package org.nelumbo.cli;
