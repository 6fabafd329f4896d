/** What SQL and key operations have in common: types, customers drawn, the book of money moved. */
package org.nelumbo.smallbank.terminal;
