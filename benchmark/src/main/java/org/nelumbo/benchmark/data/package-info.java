/** Random inputs that benchmarks share: values of a seed, skewed distributions of keys. */
package org.nelumbo.benchmark.data;
