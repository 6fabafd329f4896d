/**
 * What a terminal enters, whichever way its transactions go: their types, and subscribers drawn as
 * the specification says.
 */
package org.nelumbo.tatp.terminal;
