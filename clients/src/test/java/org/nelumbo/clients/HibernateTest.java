package org.nelumbo.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.DiscriminatorColumn;
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
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.Lob;
import jakarta.persistence.LockModeType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.OrderBy;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.PessimisticLockException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.exception.ConstraintViolationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.clients.hibernate.NelumboDialect;

/**
 * Hibernate ORM with the dialect that it detects. The build runs this test with Hibernate 7, and
 * again with Hibernate 6.
 */
class HibernateTest {
  private static final String URL = "jdbc:nelumbo:mem:hibernate";

  private static SessionFactory factory;

  enum Size {
    SMALL,
    LARGE
  }

  @Embeddable
  static class Address {
    @Column(length = 20)
    String town;
  }

  @Entity(name = "Author")
  @Table(name = "author", indexes = @Index(name = "author_town", columnList = "town"))
  static class Author {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    @Column(nullable = false, unique = true, length = 40)
    String name;

    @Embedded Address address;
    @Version int version;

    @OneToMany(mappedBy = "author", cascade = CascadeType.ALL, orphanRemoval = true)
    @OrderBy("title")
    List<Book> books = new ArrayList<>();

    @ElementCollection Set<String> nicknames = new HashSet<>();

    Author() {}

    Author(String name) {
      this.name = name;
    }

    Author with(String title, String price, Size size) {
      Book book = new Book();
      book.title = title;
      book.price = new BigDecimal(price);
      book.size = size;
      book.author = this;
      books.add(book);
      return this;
    }
  }

  @Entity(name = "Book")
  @Table(name = "book")
  static class Book {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    Long id;

    String title;

    @Column(precision = 10, scale = 2)
    BigDecimal price;

    @Enumerated(EnumType.STRING)
    Size size;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    Author author;
  }

  @Entity(name = "Everything")
  static class Everything {
    @Id @GeneratedValue UUID id;
    boolean truth;
    byte tiny;
    short small;
    long big;
    float real;
    double wide;
    char letter;
    BigDecimal number;
    LocalDate day;
    LocalTime time;
    LocalDateTime moment;
    Instant instant;
    OffsetDateTime zoned;

    @Column(columnDefinition = "numeric")
    BigDecimal unbounded;

    UUID other;
    Duration duration;
    @Lob String text;
    @Lob byte[] bytes;
    byte[] few;

    @Enumerated(EnumType.ORDINAL)
    Size size;
  }

  @Entity(name = "Shape")
  @Inheritance(strategy = InheritanceType.JOINED)
  @DiscriminatorColumn(name = "kind")
  static class Shape {
    @Id @GeneratedValue Integer id;
    String colour;
  }

  @Entity(name = "Circle")
  static class Circle extends Shape {
    double radius;
  }

  @BeforeAll
  static void open() {
    factory = factory("create-drop");
  }

  private static SessionFactory factory(String schemaAction) {
    Configuration configuration =
        new Configuration()
            .addAnnotatedClass(Author.class)
            .addAnnotatedClass(Book.class)
            .addAnnotatedClass(Everything.class)
            .addAnnotatedClass(Shape.class)
            .addAnnotatedClass(Circle.class)
            .setProperty("hibernate.connection.url", URL)
            .setProperty("hibernate.jdbc.batch_size", "20")
            .setProperty("hibernate.order_inserts", "true")
            .setProperty("hibernate.hbm2ddl.halt_on_error", "true")
            .setProperty("hibernate.hbm2ddl.auto", schemaAction);
    return configuration.buildSessionFactory();
  }

  @AfterAll
  static void close() {
    factory.close();
  }

  @BeforeEach
  void fill() {
    factory.inTransaction(
        session -> {
          session.createMutationQuery("delete from Book").executeUpdate();
          session.createNativeMutationQuery("delete from author_nicknames").executeUpdate();
          session.createMutationQuery("delete from Author").executeUpdate();
          Author ada = new Author("Ada").with("Loops", "12.50", Size.SMALL);
          ada.with("Engines", "30.00", Size.LARGE).nicknames.add("Countess");
          session.persist(ada);
          session.persist(new Author("Bob").with("Roads", "7.25", Size.SMALL));
          session.persist(new Author("Cyd"));
        });
  }

  @Test
  void shouldFindItsDialect() {
    assertTrue(
        org.hibernate.Version.getVersionString()
            .startsWith(System.getProperty("nelumbo.test.hibernate", "7.")));
    assertInstanceOf(
        NelumboDialect.class,
        factory
            .unwrap(org.hibernate.engine.spi.SessionFactoryImplementor.class)
            .getJdbcServices()
            .getDialect());
  }

  @Test
  void shouldAcceptTheSchemaItMade() {
    factory("validate").close();
    factory("update").close();
  }

  @Test
  void shouldStoreAndLoadValuesOfAllTypes() {
    Everything all = new Everything();
    all.truth = true;
    all.tiny = -5;
    all.small = 300;
    all.big = 1L << 40;
    all.real = 1.5f;
    all.wide = 0.1;
    all.letter = 'ä';
    all.number = new BigDecimal("12.34");
    all.day = LocalDate.of(2024, 2, 29);
    all.time = LocalTime.of(23, 59, 58);
    all.moment = LocalDateTime.of(2024, 2, 29, 23, 59, 58, 123_456_000);
    all.instant = Instant.parse("2024-02-29T12:00:00.123456Z");
    all.zoned = all.instant.atOffset(ZoneOffset.ofHours(3));
    all.unbounded = new BigDecimal("123456789012345678901234567890123456789.125");
    all.other = UUID.randomUUID();
    all.duration = Duration.ofMinutes(90);
    all.text = "long".repeat(10_000);
    all.bytes = new byte[] {1, 2, 3};
    all.few = new byte[] {4};
    all.size = Size.LARGE;
    factory.inTransaction(session -> session.persist(all));
    factory.inTransaction(
        session -> {
          Everything found = session.find(Everything.class, all.id);
          assertTrue(found.truth);
          assertEquals(-5, found.tiny);
          assertEquals(300, found.small);
          assertEquals(all.big, found.big);
          assertEquals(1.5f, found.real);
          assertEquals(all.wide, found.wide);
          assertEquals('ä', found.letter);
          assertEquals(0, all.number.compareTo(found.number));
          assertEquals(all.day, found.day);
          assertEquals(all.time, found.time);
          assertEquals(all.moment, found.moment);
          assertEquals(all.instant, found.instant);
          assertTrue(all.zoned.isEqual(found.zoned));
          assertEquals(all.unbounded, found.unbounded);
          assertEquals(all.other, found.other);
          assertEquals(
              found,
              session
                  .createSelectionQuery(
                      "from Everything where other = :other and zoned = :zoned and unbounded >"
                          + " 1",
                      Everything.class)
                  .setParameter("other", all.other)
                  .setParameter("zoned", all.zoned)
                  .getSingleResult());
          assertEquals(all.duration, found.duration);
          assertEquals(all.text, found.text);
          assertArrayEquals(all.bytes, found.bytes);
          assertArrayEquals(all.few, found.few);
          assertEquals(Size.LARGE, found.size);
          found.text = null;
          found.bytes = null;
        });
    factory.inSession(
        session -> {
          Everything found = session.find(Everything.class, all.id);
          assertNull(found.text);
          assertNull(found.bytes);
        });
  }

  private static List<String> texts(String query) {
    return factory.fromSession(
        session ->
            session.createSelectionQuery(query, Object.class).getResultList().stream()
                .map(
                    row -> row instanceof Object[] many ? List.of(many).toString() : row.toString())
                .toList());
  }

  @Test
  void shouldRunHqlQueries() {
    assertEquals(List.of("Ada", "Bob", "Cyd"), texts("select name from Author order by name"));
    assertEquals(
        List.of("[Ada, 2]", "[Bob, 1]", "[Cyd, 0]"),
        texts(
            "select a.name, count(b) from Author a left join a.books b group by a.name order by"
                + " 1"));
    assertEquals(
        List.of("Ada"),
        texts(
            "select a.name from Author a where exists (from Book b where b.author = a and b.price >"
                + " 20)"));
    assertEquals(List.of("Ada"), texts("select name from Author where size(books) > 1"));
    assertEquals(
        List.of("Ada"),
        texts("select a.name from Author a where 'Countess' member of a.nicknames"));
    assertEquals(
        List.of("[ENGINES, 7, Eng, 2]"),
        texts(
            "select upper(title), length(title), substring(title, 1, 3), locate('n', title)"
                + " from Book where size = LARGE"));
    assertEquals(
        List.of("[Ada: Loops, small]"),
        texts(
            "select concat(b.author.name, ': ', b.title), case b.size when SMALL then 'small' else"
                + " 'large' end from Book b where b.title like 'L%' and b.price between 10 and"
                + " 20"));
    assertEquals(
        List.of("[Engines, 1]", "[Loops, 2]", "[Roads, 3]"),
        texts("select title, rank() over (order by price desc) from Book order by price desc"));
    assertEquals(
        List.of("49.75"), texts("select sum(price) from Book where coalesce(title, '') <> ''"));
    assertEquals(
        List.of("[2024, 2]"),
        texts("select year(d.day), month(d.day) from (select date 2024-02-29 as day) d"));
    assertEquals(
        List.of("Ada", "Loops"),
        texts(
            "select name as n from Author where name = 'Ada' union select title as n from Book"
                + " where title = 'Loops' order by n"));
    assertEquals(
        List.of("Loops"),
        texts(
            "select title from Book where (title, price) in (('Loops', 12.5bd), ('Roads', 1bd))"));
    assertEquals(
        List.of("Roads"), texts("select title from Book where cast(price as Integer) = 7"));
    assertEquals(
        List.of("[10, 2.0, 3, 5]"), texts("select abs(-10), sqrt(4.0), mod(7, 4), nullif(5, 6)"));
    assertEquals(List.of("2024-03-01"), texts("select cast(date 2024-02-29 + 1 day as String)"));
    assertEquals(1, texts("select current_timestamp, local date, local datetime").size());
  }

  @Test
  void shouldRunQueriesEmulatedForOtherDatabases() {
    assertEquals(
        List.of("[Ada, Loops]", "[Bob, Roads]"),
        texts(
            "select a.name, x.t from Author a join lateral (select max(b.title) as t from Book b"
                + " where b.author = a) x where x.t is not null order by a.name"));
    assertEquals(
        List.of("1", "2", "3"),
        texts(
            "with t as (select 1 as n union all select t.n + 1 as n from t t where t.n < 3)"
                + " select t.n from t t"));
    assertEquals(
        2, texts("select title from Book order by size desc fetch first 1 row with ties").size());
    assertEquals(
        3, texts("select title from Book order by price fetch first 100 percent rows only").size());
    assertEquals(
        List.of("Engines,Loops,Roads"),
        texts("select listagg(title, ',') within group (order by title) from Book"));
    assertEquals(
        List.of("[1, 1.23]"),
        texts("select extract(day of week from date 2024-03-03), trunc(1.239, 2)"));
  }

  @Test
  void shouldPageAndFetch() {
    factory.inSession(
        session -> {
          List<Author> page =
              session
                  .createSelectionQuery("from Author order by name", Author.class)
                  .setFirstResult(1)
                  .setMaxResults(1)
                  .getResultList();
          assertEquals("Bob", page.getFirst().name);
          Author ada =
              session
                  .createSelectionQuery(
                      "from Author a left join fetch a.books where a.name = :name", Author.class)
                  .setParameter("name", "Ada")
                  .getSingleResult();
          assertEquals("Engines", ada.books.getFirst().title);
          try (Stream<Author> all =
              session.createSelectionQuery("from Author", Author.class).getResultStream()) {
            assertEquals(3, all.count());
          }
          assertEquals(
              2,
              session
                  .createSelectionQuery("from Author where name in :names", Author.class)
                  .setParameterList("names", List.of("Ada", "Cyd", "Nobody"))
                  .getResultList()
                  .size());
        });
  }

  @Test
  void shouldChangeManyRows() {
    factory.inTransaction(
        session -> {
          assertEquals(
              2,
              session
                  .createMutationQuery("update Book set price = price * 2 where size = :size")
                  .setParameter("size", Size.SMALL)
                  .executeUpdate());
          assertEquals(
              1,
              session
                  .createMutationQuery("delete from Book b where b.author.name = 'Bob'")
                  .executeUpdate());
          assertEquals(
              1,
              session
                  .createMutationQuery(
                      "insert into Author (name, version) select concat(title, '!'), 0 from Book"
                          + " where size = LARGE")
                  .executeUpdate());
        });
    factory.inTransaction(
        session -> {
          assertEquals(
              0,
              session
                  .createMutationQuery(
                      "insert into Author (name, version) values ('Ada', 7) on conflict do nothing")
                  .executeUpdate());
          assertEquals(
              1,
              session
                  .createMutationQuery(
                      "insert into Author (name, version) values ('Ada', 7) on conflict (name) do"
                          + " update set version = excluded.version")
                  .executeUpdate());
        });
    assertEquals(List.of("7"), texts("select version from Author where name = 'Ada'"));
    assertEquals(List.of("25.00", "30.00"), texts("select price from Book order by price"));
    assertEquals(1, texts("from Author where name = 'Engines!'").size());
  }

  @Test
  void shouldWriteBatches() {
    factory.inTransaction(
        session -> {
          Author cyd =
              session
                  .createSelectionQuery("from Author where name = 'Cyd'", Author.class)
                  .getSingleResult();
          cyd.address = new Address();
          cyd.address.town = "Ulm";
          for (int i = 0; i < 100; i++) {
            cyd.with("Volume " + i, "1.00", Size.SMALL);
          }
        });
    assertEquals(
        List.of("[Ulm, 100, 100.00]"),
        texts(
            "select a.address.town, count(*), sum(b.price) from Author a join a.books b group by"
                + " a.address.town having count(*) > 3"));
    factory.inTransaction(
        session ->
            session
                .createSelectionQuery("from Author where name = 'Ada'", Author.class)
                .getSingleResult()
                .books
                .removeFirst());
    assertEquals(List.of("102"), texts("select count(*) from Book"));
  }

  @Test
  void shouldComputeWithDatesAndTimes() {
    String from = "datetime 2024-02-29 12:00:00";
    String passed = "(datetime 2024-03-01 13:00:30 - " + from + ")";
    assertEquals(
        List.of("[1, 25, 90030, 90030000000000]"),
        texts(
            "select %1$s by day, %1$s by hour, %1$s by second, %1$s by nanosecond"
                .formatted(passed)));
    assertEquals(
        List.of("[2024-02-29T12:00:01, 2024-02-29T12:00:00.000003]"),
        texts("select %1$s + 1 second, %1$s + 3000 nanosecond".formatted(from)));
    assertEquals(
        List.of("[PT25H30S, 2024-03-01T13:00:30]"),
        texts("select %1$s, %2$s + %1$s".formatted(passed, from)));
  }

  @Test
  void shouldMapInheritance() {
    Circle circle = new Circle();
    circle.colour = "red";
    circle.radius = 2;
    factory.inTransaction(session -> session.persist(circle));
    assertEquals(List.of("red"), texts("select colour from Shape s where type(s) = Circle"));
    factory.inTransaction(
        session ->
            assertEquals(
                1,
                session
                    .createMutationQuery("update Circle set radius = 3, colour = 'blue'")
                    .executeUpdate()));
    assertEquals(List.of("[blue, 3.0]"), texts("select colour, radius from Circle"));
    factory.inTransaction(
        session ->
            assertEquals(1, session.createMutationQuery("delete from Shape").executeUpdate()));
  }

  @Test
  void shouldNoticeConflicts() {
    Long id =
        factory.fromSession(
            s ->
                s.createQuery("select id from Author where name = 'Ada'", Long.class)
                    .uniqueResult());
    assertThrows(
        OptimisticLockException.class,
        () ->
            factory.inTransaction(
                session -> {
                  Author mine = session.find(Author.class, id);
                  session.detach(mine);
                  session
                      .createMutationQuery(
                          "update versioned Author set name = 'Eve' where id = :id")
                      .setParameter("id", id)
                      .executeUpdate();
                  mine.name = "Adele";
                  session.merge(mine);
                }));
    assertThrows(
        ConstraintViolationException.class,
        () -> factory.inTransaction(session -> session.persist(new Author("Bob"))));
    factory.inTransaction(
        one -> {
          Author held = one.find(Author.class, id, LockModeType.PESSIMISTIC_WRITE);
          assertEquals("Ada", held.name);
          PersistenceException refused =
              assertThrows(
                  PersistenceException.class,
                  () ->
                      factory.inTransaction(
                          two ->
                              two.createSelectionQuery("from Author where id = :id", Author.class)
                                  .setParameter("id", id)
                                  .setHibernateLockMode(org.hibernate.LockMode.UPGRADE_NOWAIT)
                                  .getResultList()));
          assertInstanceOf(PessimisticLockException.class, refused.getCause());
          factory.inTransaction(
              two ->
                  assertEquals(
                      2,
                      two.createSelectionQuery("from Author", Author.class)
                          .setHibernateLockMode(org.hibernate.LockMode.UPGRADE_SKIPLOCKED)
                          .getResultList()
                          .size()));
        });
  }
}
