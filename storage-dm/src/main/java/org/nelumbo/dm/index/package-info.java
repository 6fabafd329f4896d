/** What indexes of the pool share. */
package org.nelumbo.dm.index;
