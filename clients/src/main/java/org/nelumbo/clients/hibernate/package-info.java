/** The dialect for Hibernate ORM, which finds it by the name of the database. */
package org.nelumbo.clients.hibernate;
