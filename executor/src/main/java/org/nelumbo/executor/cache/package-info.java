/**
 * What a compute node remembers of the pool, where a round trip is expensive: CVTs of the rows
 * whose locks it manages, and their addresses (LOTUS sections 4.4 and 5), and records. Not used on
 * the local fabric, where a cache would only be another memory access.
 */
package org.nelumbo.executor.cache;
