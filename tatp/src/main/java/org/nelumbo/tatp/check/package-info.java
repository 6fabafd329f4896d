/** What must hold after the load and after a run. */
package org.nelumbo.tatp.check;
