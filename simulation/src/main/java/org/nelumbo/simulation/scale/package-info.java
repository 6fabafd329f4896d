/**
 * Throughput of several compute nodes in virtual time: mixes of transactions with the shape of
 * SmallBank, TATP and TPC-C, on the production engine. The only faults are compute nodes that fail.
 * This package contains no checks; scenarios check the engine.
 */
package org.nelumbo.simulation.scale;
