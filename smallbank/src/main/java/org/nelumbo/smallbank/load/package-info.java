/** The tables of SmallBank and their population: customers in parts, several at a time. */
package org.nelumbo.smallbank.load;
