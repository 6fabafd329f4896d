/**
 * The command line behind the {@code nelumbo} script: {@link org.nelumbo.launcher.Main} and its
 * subcommands.
 *
 * <p>Nothing depends on this package. It knows the modules below it only through JDBC and through
 * the service interfaces they offer.
 */
package org.nelumbo.launcher;
