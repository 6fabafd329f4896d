/** What carries verbs to the memory pool: the one seam that everything above stands on. */
package org.nelumbo.dm.fabric;
