package org.nelumbo.examples.hibernate;

import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** An example of Hibernate: authors and their books. */
public final class Library {
  private Library() {}

  /**
   * Runs the example.
   *
   * @param arguments the URL of a database, or nothing
   */
  public static void main(String[] arguments) {
    Configuration configuration =
        new Configuration()
            .addAnnotatedClass(Author.class)
            .addAnnotatedClass(Book.class)
            .setProperty(
                "hibernate.connection.url",
                arguments.length > 0 ? arguments[0] : "jdbc:nelumbo:mem:library")
            .setProperty("hibernate.hbm2ddl.auto", "create");
    try (SessionFactory factory = configuration.buildSessionFactory()) {
      factory.inTransaction(
          session -> {
            session.persist(new Author("Ada", "Loops", "Engines"));
            session.persist(new Author("Bob", "Roads"));
          });
      factory.inTransaction(
          session ->
              session
                  .createSelectionQuery("from Book where title like 'L%'", Book.class)
                  .getSingleResult()
                  .readers++);
      factory.inSession(
          session ->
              session
                  .createSelectionQuery(
                      "select concat(a.name, ' wrote ', str(count(b)), ', read by ',"
                          + " str(sum(b.readers))) from Author a join a.books b group by a.name"
                          + " order by a.name",
                      String.class)
                  .getResultList()
                  .forEach(System.out::println));
    }
  }
}
