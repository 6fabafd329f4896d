/** What SQL and key operations have in common: types and inputs. */
package org.nelumbo.tatp.terminal;
