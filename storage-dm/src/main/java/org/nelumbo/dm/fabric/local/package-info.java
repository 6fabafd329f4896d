/** The fabric of an embedded pool: memory of this process. */
package org.nelumbo.dm.fabric.local;
