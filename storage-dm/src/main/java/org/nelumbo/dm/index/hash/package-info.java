/** The hash index in the pool, in the style of RACE: one READ a lookup, extendible directory, lock-free lookups and inserts. */
package org.nelumbo.dm.index.hash;
