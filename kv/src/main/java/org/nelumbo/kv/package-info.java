/** The key-value benchmark of the LOTUS paper, section 8.2: options, settings, the workload. */
package org.nelumbo.kv;
