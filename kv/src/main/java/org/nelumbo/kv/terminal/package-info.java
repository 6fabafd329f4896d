/**
 * What a terminal enters, whichever way its transactions go: the key, drawn uniformly or by a Zipf
 * distribution.
 */
package org.nelumbo.kv.terminal;
