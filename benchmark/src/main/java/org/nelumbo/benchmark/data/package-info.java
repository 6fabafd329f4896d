/**
 * Random inputs that the benchmarks share: {@link org.nelumbo.benchmark.data.RandomValues} is a
 * stream of values from a seed, {@link org.nelumbo.benchmark.data.Zipf} a skewed distribution of
 * ranks, {@link org.nelumbo.benchmark.data.ScatteredRanks} spreads ranks over the keys, and {@link
 * org.nelumbo.benchmark.data.Keys} draws keys from any of these distributions. A stream belongs to
 * one thread; distributions are immutable.
 */
package org.nelumbo.benchmark.data;
