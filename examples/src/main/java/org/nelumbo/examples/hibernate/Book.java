package org.nelumbo.examples.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;

/** A book. Its version detects concurrent changes. */
@Entity
class Book {
  @Id @GeneratedValue Long id;
  String title;
  int readers;
  @Version int version;
  @ManyToOne Author author;

  Book() {}

  Book(String title, Author author) {
    this.title = title;
    this.author = author;
  }
}
