/**
 * The command line behind the {@code nelumbo} script: {@link org.nelumbo.launcher.Main} adds
 * benchmarks, simulator, soak runs and SQL generators to the command line of the product ({@link
 * org.nelumbo.cli}). No other module depends on this one.
 */
package org.nelumbo.launcher;
