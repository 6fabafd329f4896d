/**
 * SmallBank as a subcommand of {@code nelumbo bench}.
 *
 * <p>{@link org.nelumbo.smallbank.SmallBankCommand} parses the options, {@link
 * org.nelumbo.smallbank.SmallBankWorkload} combines schema, load, terminals and checks, and {@link
 * org.nelumbo.smallbank.Deviations} lists the deviations from the definition for the report.
 */
package org.nelumbo.smallbank;
