/** The core workloads of YCSB: options, settings, the workload. */
package org.nelumbo.ycsb;
