/**
 * What must hold in the database after the load and after a run: every customer has both accounts,
 * and the sum of all money is what the books of the terminals say.
 */
package org.nelumbo.smallbank.check;
