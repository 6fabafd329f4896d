/** An example: jOOQ. */
package org.nelumbo.examples.jooq;
