/**
 * The command line behind the {@code nelumbo} script: {@link org.nelumbo.launcher.Main} and its
 * subcommands.
 *
 * <p>{@code sql} is a prompt on any JDBC URL, {@code memory-node} a memory node as a process,
 * {@code status} asks memory nodes about themselves; {@code bench} and {@code sim} come from their
 * modules. The exit status is that of the subcommand, 2 for wrong usage.
 *
 * <p>Nothing depends on this package. It knows the modules below it through JDBC, through the
 * service interfaces they offer, and through the processes that it runs.
 */
package org.nelumbo.launcher;
