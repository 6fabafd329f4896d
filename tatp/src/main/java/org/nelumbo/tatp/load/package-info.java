/** The four tables of TATP and their population: subscribers in parts, several at a time. */
package org.nelumbo.tatp.load;
