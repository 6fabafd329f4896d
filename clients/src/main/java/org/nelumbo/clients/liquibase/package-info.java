/** The plug-in for Liquibase, which finds it as a service. */
package org.nelumbo.clients.liquibase;
