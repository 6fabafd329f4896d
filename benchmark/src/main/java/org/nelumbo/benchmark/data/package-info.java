/**
 * Random inputs that benchmarks share: {@link org.nelumbo.benchmark.data.RandomValues} is a stream
 * of values from a seed, {@link org.nelumbo.benchmark.data.Zipf} a skewed distribution of ranks,
 * {@link org.nelumbo.benchmark.data.ScatteredRanks} spreads ranks over the keys, {@link
 * org.nelumbo.benchmark.data.Keys} draws keys by any of these. A stream belongs to one thread;
 * distributions are immutable.
 */
package org.nelumbo.benchmark.data;
