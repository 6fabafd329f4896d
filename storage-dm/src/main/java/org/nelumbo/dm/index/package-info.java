/** Parts that the hash index and the ordered index share. */
package org.nelumbo.dm.index;
