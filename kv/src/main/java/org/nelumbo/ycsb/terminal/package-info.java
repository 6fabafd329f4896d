/** What SQL and key operations have in common: operations, records, inputs. */
package org.nelumbo.ycsb.terminal;
