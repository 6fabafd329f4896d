/**
 * SmallBank as a subcommand of {@code nelumbo bench}.
 *
 * <p>{@link org.nelumbo.smallbank.SmallBankCommand} reads the options, {@link
 * org.nelumbo.smallbank.SmallBankWorkload} puts schema, load, terminals and checks together, {@link
 * org.nelumbo.smallbank.Deviations} says where a run departs from the definition, for its report.
 */
package org.nelumbo.smallbank;
