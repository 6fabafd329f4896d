/** An example: Hibernate ORM. */
package org.nelumbo.examples.hibernate;
