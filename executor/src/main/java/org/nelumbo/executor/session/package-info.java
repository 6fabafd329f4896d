/**
 * Values of a session that expressions read: its time zone, the numbers it has drawn from
 * sequences, and its properties.
 */
package org.nelumbo.executor.session;
