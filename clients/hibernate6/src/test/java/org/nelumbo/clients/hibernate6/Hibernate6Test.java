package org.nelumbo.clients.hibernate6;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.Lob;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.Hibernate;
import org.hibernate.LockMode;
import org.hibernate.PessimisticLockException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.exception.ConstraintViolationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A small shop on Hibernate ORM 6, with the dialect that it finds by itself. */
class Hibernate6Test {
  private static SessionFactory factory;

  enum State {
    OPEN,
    PAID
  }

  @Embeddable
  static class Address {
    @Column(length = 40)
    String street;

    @Column(length = 20)
    String town;
  }

  @Entity(name = "Customer")
  @Table(name = "customer", indexes = @Index(name = "customer_town", columnList = "town"))
  static class Customer {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    @Column(nullable = false, unique = true, length = 40)
    String name;

    @Embedded Address address = new Address();
    @Version int version;
    @ElementCollection Set<String> labels = new HashSet<>();

    @OneToMany(mappedBy = "customer", cascade = CascadeType.ALL, orphanRemoval = true)
    List<Purchase> purchases = new ArrayList<>();

    Customer() {}

    Customer(String name, String town) {
      this.name = name;
      this.address.town = town;
    }

    Customer buys(String price, State state) {
      Purchase purchase = new Purchase();
      purchase.customer = this;
      purchase.price = new BigDecimal(price);
      purchase.state = state;
      purchases.add(purchase);
      return this;
    }
  }

  @Entity(name = "Purchase")
  @Table(name = "purchase")
  static class Purchase {
    @Id @GeneratedValue Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    Customer customer;

    @Column(precision = 10, scale = 2)
    BigDecimal price;

    @Enumerated(EnumType.STRING)
    State state;

    UUID code = UUID.randomUUID();
    OffsetDateTime made = OffsetDateTime.parse("2024-02-29T12:00:00.123456+02:00");
    LocalDate due = LocalDate.of(2024, 3, 31);
    @Lob String note = "note".repeat(2000);
    @Lob byte[] picture = {1, 2, 3};
  }

  private static SessionFactory factory(String schemaAction) {
    return new Configuration()
        .addAnnotatedClass(Customer.class)
        .addAnnotatedClass(Purchase.class)
        .setProperty("hibernate.connection.url", "jdbc:nelumbo:mem:hibernate6")
        .setProperty("hibernate.jdbc.batch_size", "20")
        .setProperty("hibernate.order_inserts", "true")
        .setProperty("hibernate.hbm2ddl.halt_on_error", "true")
        .setProperty("hibernate.hbm2ddl.auto", schemaAction)
        .buildSessionFactory();
  }

  @BeforeAll
  static void open() {
    factory = factory("create-drop");
  }

  @AfterAll
  static void close() {
    factory.close();
  }

  @BeforeEach
  void fill() {
    factory.inTransaction(
        session -> {
          session.createNativeMutationQuery("delete from customer_labels").executeUpdate();
          session.createMutationQuery("delete from Purchase").executeUpdate();
          session.createMutationQuery("delete from Customer").executeUpdate();
          Customer ada = new Customer("Ada", "Ulm").buys("12.50", State.OPEN);
          ada.buys("30.00", State.PAID).labels.add("old");
          session.persist(ada);
          session.persist(new Customer("Bob", "Bonn").buys("7.25", State.OPEN));
          session.persist(new Customer("Cyd", "Ulm"));
        });
  }

  private static List<String> texts(String query) {
    return factory.fromSession(
        session ->
            session.createSelectionQuery(query, Object.class).getResultList().stream()
                .map(row -> row instanceof Object[] many ? List.of(many).toString() : "" + row)
                .toList());
  }

  @Test
  void shouldFindItsDialectAndAcceptItsSchema() {
    assertInstanceOf(
        Nelumbo6Dialect.class,
        factory.unwrap(SessionFactoryImplementor.class).getJdbcServices().getDialect());
    factory("validate").close();
    factory("update").close();
  }

  @Test
  void shouldKeepValues() {
    factory.inTransaction(
        session -> {
          Purchase found =
              session
                  .createSelectionQuery("from Purchase where price = 30", Purchase.class)
                  .getSingleResult();
          assertEquals(8000, found.note.length());
          assertEquals(3, found.picture.length);
          assertEquals(
              OffsetDateTime.parse("2024-02-29T10:00:00.123456Z").toInstant(),
              found.made.toInstant());
          assertEquals(
              found,
              session
                  .createSelectionQuery(
                      "from Purchase where code = :code and made = :made", Purchase.class)
                  .setParameter("code", found.code)
                  .setParameter("made", found.made)
                  .getSingleResult());
          Customer owner = Hibernate.unproxy(found.customer, Customer.class);
          assertEquals("Ulm", owner.address.town);
        });
  }

  @Test
  void shouldAnswerQueries() {
    assertEquals(
        List.of("[Ada, 42.50]", "[Bob, 7.25]"),
        texts(
            "select c.name, sum(p.price) from Customer c join c.purchases p group by c.name"
                + " having sum(p.price) > 1 order by c.name"));
    assertEquals(List.of("Cyd"), texts("select name from Customer c where c.purchases is empty"));
    assertEquals(
        List.of("[Ada, 1]", "[Bob, 2]"),
        texts(
            "select c.name, rank() over (order by sum(p.price) desc) from Customer c join"
                + " c.purchases p group by c.name order by 2"));
    assertEquals(
        List.of("Ada"),
        texts(
            "select c.name from Customer c where 'old' member of c.labels and year(local date) > 1"));
    assertEquals(
        List.of("2024-04-01"), texts("select distinct cast(due + 1 day as String) from Purchase"));
    assertEquals(
        List.of("Bob"),
        factory.fromSession(
            session ->
                session
                    .createSelectionQuery("select name from Customer order by name", String.class)
                    .setFirstResult(1)
                    .setMaxResults(1)
                    .getResultList()));
    factory.inSession(
        session -> {
          try (Stream<Customer> all =
              session.createSelectionQuery("from Customer", Customer.class).getResultStream()) {
            assertEquals(3, all.count());
          }
        });
  }

  @Test
  void shouldWriteBatchesAndChangeManyRows() {
    factory.inTransaction(
        session -> {
          Customer many =
              session
                  .createSelectionQuery("from Customer where name = 'Cyd'", Customer.class)
                  .getSingleResult();
          for (int i = 0; i < 100; i++) {
            many.buys("1.00", State.OPEN);
          }
        });
    factory.inTransaction(
        session ->
            assertEquals(
                102,
                session
                    .createMutationQuery("update Purchase set state = PAID where state = OPEN")
                    .executeUpdate()));
    factory.inTransaction(
        session ->
            assertEquals(
                100,
                session
                    .createMutationQuery("delete Purchase p where p.customer.name = 'Cyd'")
                    .executeUpdate()));
    factory.inTransaction(
        session ->
            session
                .createSelectionQuery("from Customer where name = 'Ada'", Customer.class)
                .getSingleResult()
                .purchases
                .removeFirst());
    assertEquals(List.of("2"), texts("select count(*) from Purchase"));
  }

  @Test
  void shouldNoticeConflicts() {
    assertThrows(
        OptimisticLockException.class,
        () ->
            factory.inTransaction(
                session -> {
                  Customer mine =
                      session
                          .createSelectionQuery("from Customer where name = 'Ada'", Customer.class)
                          .getSingleResult();
                  session.detach(mine);
                  session
                      .createMutationQuery(
                          "update versioned Customer set name = 'Eve' where name = 'Ada'")
                      .executeUpdate();
                  mine.name = "Adele";
                  session.merge(mine);
                }));
    assertThrows(
        ConstraintViolationException.class,
        () -> factory.inTransaction(session -> session.persist(new Customer("Bob", "Ulm"))));
    factory.inTransaction(
        one -> {
          one.createSelectionQuery("from Customer where name = 'Ada'", Customer.class)
              .setHibernateLockMode(LockMode.PESSIMISTIC_WRITE)
              .getSingleResult();
          PersistenceException refused =
              assertThrows(
                  PersistenceException.class,
                  () ->
                      factory.inTransaction(
                          two ->
                              two.createSelectionQuery("from Customer", Customer.class)
                                  .setHibernateLockMode(LockMode.UPGRADE_NOWAIT)
                                  .getResultList()));
          assertInstanceOf(PessimisticLockException.class, refused.getCause());
          factory.inTransaction(
              two ->
                  assertEquals(
                      2,
                      two.createSelectionQuery("from Customer", Customer.class)
                          .setHibernateLockMode(LockMode.UPGRADE_SKIPLOCKED)
                          .getResultList()
                          .size()));
        });
  }
}
