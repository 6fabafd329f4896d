package org.nelumbo.tpcc.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TpccRandomTest {
  private final TpccRandom random = new TpccRandom(3, NuRandConstants.of(3));

  @Test
  void shouldSpellLastNames() {
    assertEquals("BARBARBAR", LastNames.of(0));
    assertEquals("PRICALLYOUGHT", LastNames.of(371));
    assertEquals("EINGEINGEING", LastNames.of(999));
    assertTrue(IntStream.range(0, 1_000).allMatch(i -> LastNames.of(i).length() <= 16));
  }

  @Test
  void shouldMarkOneInTenAsOriginal() {
    int original = 0;
    for (int i = 0; i < 100_000; i++) {
      String data = random.dataWithOriginal();
      assertTrue(data.length() >= 26 && data.length() <= 50);
      original += data.contains("ORIGINAL") ? 1 : 0;
    }
    assertEquals(10_000, original, 400);
  }

  @Property(seed = "1", tries = 200)
  void shouldGenerateTextOfRequestedLength(@ForAll @IntRange(min = 1, max = 500) int length) {
    assertTrue(random.text(length, length).matches("[a-zA-Z0-9]{" + length + "}"));
    assertTrue(random.digits(length).matches("\\d{" + length + "}"));
    assertTrue(random.letters(length).matches("[a-zA-Z]{" + length + "}"));
    assertTrue(random.zip().matches("\\d{4}11111"));
  }

  @Property(seed = "1", tries = 200)
  void shouldPermute(@ForAll @IntRange(min = 1, max = 300) int count) {
    int[] numbers = random.permutation(count);
    Arrays.sort(numbers);
    assertTrue(Arrays.equals(numbers, IntStream.rangeClosed(1, count).toArray()));
  }

  @Property(seed = "1")
  void shouldConvertMoneyExactly(
      @ForAll @LongRange(min = -99_999_999, max = 99_999_999) long cents) {
    assertEquals(cents, Money.cents(Money.ofCents(cents)));
    assertEquals(2, Money.ofCents(cents).scale());
    BigDecimal likeFloatingPoint = new BigDecimal(Money.ofCents(cents).doubleValue());
    assertEquals(cents, Money.cents(likeFloatingPoint));
  }

  @Test
  void shouldReturnSameValuesForSameSeed() {
    TpccRandom one = new TpccRandom(9, NuRandConstants.of(9));
    TpccRandom other = new TpccRandom(9, NuRandConstants.of(9));
    for (int i = 0; i < 100; i++) {
      assertEquals(one.text(1, 50), other.text(1, 50));
      assertEquals(one.customer(3_000), other.customer(3_000));
    }
  }
}
