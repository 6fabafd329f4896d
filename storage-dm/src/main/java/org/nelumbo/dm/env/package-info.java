/**
 * The {@link org.nelumbo.dm.env.Environment}: the only source of time, randomness, threads and
 * waiting for engine code, so that a simulator can own all four.
 */
package org.nelumbo.dm.env;
