/**
 * What a terminal enters, whichever way its transactions go: their types, customers drawn from a
 * hot set, amounts; and the book of the money that its transactions moved.
 */
package org.nelumbo.smallbank.terminal;
