/** Time, randomness, threads and waiting, as seen by the engine. */
package org.nelumbo.dm.env;
