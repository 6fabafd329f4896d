/** An example: Spring Boot. */
package org.nelumbo.examples.springboot;
