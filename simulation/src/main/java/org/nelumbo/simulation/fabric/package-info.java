/**
 * The simulated fabric: memory nodes whose verbs take effect at virtual times that a model of the
 * network and its RNICs gives, torn, interleaved and flying as real ones are. Passes the
 * conformance kit of {@code org.nelumbo.dm.pool}.
 */
package org.nelumbo.simulation.fabric;
