/** Memory of the pool: size classes, chunks, and what a coordinator holds of them. */
package org.nelumbo.dm.alloc;
