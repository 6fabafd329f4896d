package org.nelumbo.examples.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;

/** An author of books. */
@Entity
class Author {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  Long id;

  String name;

  @OneToMany(mappedBy = "author", cascade = CascadeType.ALL)
  List<Book> books = new ArrayList<>();

  Author() {}

  Author(String name, String... titles) {
    this.name = name;
    for (String title : titles) {
      books.add(new Book(title, this));
    }
  }
}
