/** Tables and their population. */
package org.nelumbo.tatp.load;
