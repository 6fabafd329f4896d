/** The seven transactions as key operations of our own engine. */
package org.nelumbo.tatp.nativeapi;
