/** Tables and their population. */
package org.nelumbo.smallbank.load;
