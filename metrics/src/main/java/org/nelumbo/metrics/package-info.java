/**
 * Counters of compute nodes and memory nodes for Micrometer. Entry points: {@link
 * org.nelumbo.metrics.DatabaseMetrics} for programs that use the driver; {@link
 * org.nelumbo.metrics.MemoryNodeMetrics} and {@link org.nelumbo.metrics.PrometheusEndpoint} for the
 * process of a memory node. The names are listed in {@code docs/guide/monitoring.md}.
 */
package org.nelumbo.metrics;
