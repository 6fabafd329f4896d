/**
 * Checks of the database after the load and after a run: every customer has both accounts, and the
 * sum of all money matches the books of the terminals.
 */
package org.nelumbo.smallbank.check;
