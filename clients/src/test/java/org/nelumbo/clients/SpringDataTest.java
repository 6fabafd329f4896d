package org.nelumbo.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.clients.springdata.NelumboDialect;
import org.nelumbo.jdbc.NelumboDataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.relational.core.mapping.Sequence;
import org.springframework.data.relational.core.sql.LockMode;
import org.springframework.data.relational.repository.Lock;
import org.springframework.data.repository.CrudRepository;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.data.repository.PagingAndSortingRepository;
import org.springframework.data.repository.query.Param;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A small shop on Spring Data JDBC, with the dialect that it detects. */
class SpringDataTest {
  enum State {
    OPEN,
    PAID
  }

  record Line(String what, BigDecimal price) {}

  record Label(String text) {}

  static class Purchase {
    @Id Long id;
    @Version int version;
    String customer;
    State state = State.OPEN;
    UUID code = UUID.randomUUID();
    Instant made = Instant.parse("2024-02-29T10:00:00.123456Z");
    OffsetDateTime due = OffsetDateTime.parse("2024-03-01T00:00:00+02:00");
    LocalDate day = LocalDate.of(2024, 2, 29);
    boolean urgent;
    byte[] picture = {1, 2};
    String note = "note".repeat(1000);
    List<Line> lines = new ArrayList<>();
    Set<Label> labels = Set.of(new Label("new"));

    static Purchase of(String customer, String... prices) {
      Purchase purchase = new Purchase();
      purchase.customer = customer;
      for (String price : prices) {
        purchase.lines.add(new Line("thing", new BigDecimal(price)));
      }
      return purchase;
    }
  }

  static class Ticket {
    @Id
    @Sequence(sequence = "TICKET_NUMBER")
    Long id;

    String subject;
  }

  record Stock(@Id String item, int amount) {}

  /** Queries that are derived from method names. */
  interface Purchases
      extends ListCrudRepository<Purchase, Long>, PagingAndSortingRepository<Purchase, Long> {
    List<Purchase> findByCustomerContainingIgnoreCaseOrderByIdDesc(String part);

    Optional<Purchase> findByCode(UUID code);

    boolean existsByStateAndDayBetween(State state, LocalDate from, LocalDate to);

    long countByUrgentFalseAndMadeBefore(Instant moment);

    Page<Purchase> findByCustomerIn(List<String> names, PageRequest page);

    List<Purchase> findFirst2ByOrderByCustomer();

    @Lock(LockMode.PESSIMISTIC_WRITE)
    List<Purchase> findByCustomer(String customer);

    @Query("SELECT SUM(price) FROM line JOIN purchase ON purchase = id WHERE customer = :customer")
    BigDecimal total(@Param("customer") String customer);

    @Modifying
    @Query("UPDATE purchase SET state = :state WHERE customer = :customer")
    int mark(@Param("customer") String customer, @Param("state") State state);

    long deleteByCustomer(String customer);
  }

  /** Keys from a sequence. */
  interface Tickets extends CrudRepository<Ticket, Long> {}

  @Configuration
  @EnableJdbcRepositories(considerNestedRepositories = true)
  static class Application extends AbstractJdbcConfiguration {
    @Bean
    DataSource dataSource() {
      NelumboDataSource source = new NelumboDataSource();
      source.setUrl("jdbc:nelumbo:mem:springdata");
      return source;
    }

    @Bean
    NamedParameterJdbcOperations operations(DataSource source) {
      return new NamedParameterJdbcTemplate(source);
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource source) {
      return new JdbcTransactionManager(source);
    }
  }

  private AnnotationConfigApplicationContext context;
  private Purchases purchases;

  @BeforeEach
  void open() {
    context = new AnnotationConfigApplicationContext(Application.class);
    purchases = context.getBean(Purchases.class);
    JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
    jdbc.execute(
        """
        CREATE TABLE purchase (
          id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
          version INTEGER NOT NULL, customer VARCHAR(20) NOT NULL UNIQUE, state VARCHAR(10),
          code UUID, made TIMESTAMP(6), due TIMESTAMP WITH TIME ZONE, day DATE, urgent BOOLEAN,
          picture BLOB, note CLOB)\
        """);
    jdbc.execute(
        """
        CREATE TABLE line (
          purchase BIGINT NOT NULL REFERENCES purchase, purchase_key INTEGER NOT NULL,
          what VARCHAR(20), price DECIMAL(10, 2), PRIMARY KEY (purchase, purchase_key))\
        """);
    jdbc.execute("CREATE TABLE label (purchase BIGINT REFERENCES purchase, text VARCHAR(20))");
    jdbc.execute("CREATE SEQUENCE ticket_number START WITH 100");
    jdbc.execute("CREATE TABLE ticket (id BIGINT PRIMARY KEY, subject VARCHAR(20))");
    jdbc.execute("CREATE TABLE stock (item VARCHAR(20) PRIMARY KEY, amount INTEGER)");
    purchases.saveAll(
        List.of(
            Purchase.of("Ada", "12.50", "30.00"), Purchase.of("Bob", "7.25"), Purchase.of("Cyd")));
  }

  @AfterEach
  void close() {
    new JdbcTemplate(context.getBean(DataSource.class)).execute("SHUTDOWN");
    context.close();
  }

  private Purchase ada() {
    return purchases.findByCustomerContainingIgnoreCaseOrderByIdDesc("AD").getFirst();
  }

  @Test
  void shouldSaveLoadAndDeleteAggregates() {
    assertInstanceOf(NelumboDialect.class, context.getBean(JdbcDialect.class));
    Purchase ada = ada();
    assertEquals(Instant.parse("2024-02-29T10:00:00.123456Z"), ada.made);
    assertEquals(Instant.parse("2024-02-29T22:00:00Z"), ada.due.toInstant());
    assertEquals(4000, ada.note.length());
    assertEquals(2, ada.picture.length);
    assertEquals(new BigDecimal("30.00"), ada.lines.get(1).price());
    assertEquals(Set.of(new Label("new")), ada.labels);
    assertEquals(ada.id, purchases.findByCode(ada.code).orElseThrow().id);
    ada.lines.removeFirst();
    ada.state = State.PAID;
    purchases.save(ada);
    assertEquals(new BigDecimal("30.00"), purchases.total("Ada"));
    Purchase old = ada();
    old.version--;
    assertThrows(OptimisticLockingFailureException.class, () -> purchases.save(old));
    assertThrows(DuplicateKeyException.class, () -> purchases.save(Purchase.of("Bob")));
    purchases.delete(ada);
    assertEquals(2, purchases.count());
  }

  @Test
  void shouldRunRepositoryQueryMethods() {
    LocalDate day = LocalDate.of(2024, 2, 29);
    assertTrue(purchases.existsByStateAndDayBetween(State.OPEN, day, day.plusDays(1)));
    assertFalse(purchases.existsByStateAndDayBetween(State.PAID, day, day));
    assertEquals(3, purchases.countByUrgentFalseAndMadeBefore(Instant.now()));
    Page<Purchase> page =
        purchases.findByCustomerIn(
            List.of("Ada", "Cyd"), PageRequest.of(1, 1, Sort.by("customer")));
    assertEquals("Cyd", page.getContent().getFirst().customer);
    assertEquals(2, page.getTotalElements());
    assertEquals(2, purchases.findFirst2ByOrderByCustomer().size());
    assertEquals(1, purchases.mark("Ada", State.PAID));
    assertEquals(
        1,
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
            .<Integer>execute(status -> purchases.findByCustomer("Ada").size()));
    assertEquals(1, purchases.deleteByCustomer("Cyd"));
  }

  @Test
  void shouldDrawKeysAndInsertOrUpdate() {
    Ticket ticket = new Ticket();
    ticket.subject = "help";
    assertEquals(100, context.getBean(Tickets.class).save(ticket).id);
    JdbcAggregateTemplate template = context.getBean(JdbcAggregateTemplate.class);
    template.upsert(new Stock("pen", 1));
    template.upsert(new Stock("pen", 2));
    assertEquals(2, template.findById("pen", Stock.class).amount());
  }
}
