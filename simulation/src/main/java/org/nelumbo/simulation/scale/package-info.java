/**
 * Throughput of several compute nodes in virtual time: mixes of transactions with the shape of
 * SmallBank, TATP and TPC-C, on the production engine in a world without faults, but for compute
 * nodes that die. Nothing is checked here; scenarios do that.
 */
package org.nelumbo.simulation.scale;
