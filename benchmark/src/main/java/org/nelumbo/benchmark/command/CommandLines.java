package org.nelumbo.benchmark.command;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.report.RunResult;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Builds command lines for further processes and for reports; reported ones contain no passwords.
 */
final class CommandLines {
  /** Options that each process gets anew. */
  private static final Set<String> REPLACED =
      Set.of("--url", "--rounds", "--json", "--html", "--jfr", "--password", "--seed", "--replace");

  private static final Set<String> NOT_REPORTED =
      Set.of(
          "--url",
          "--seed",
          "--password",
          "--help",
          "--version",
          BenchmarkOptions.WORKER,
          BenchmarkOptions.WORKER_RESULT);

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private CommandLines() {}

  /** Describes how a run on this URL is started, for its result. */
  static RunResult.Setup setup(CommandSpec command, BenchmarkOptions options, DatabaseUrl url) {
    return new RunResult.Setup(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        line(command, List.of(url), options),
        values(command));
  }

  /** Returns the command that measures all URLs in all rounds. */
  static String whole(CommandSpec command, BenchmarkOptions options) {
    return line(command, options.urls(), options) + " --rounds=" + options.rounds;
  }

  /** Returns the arguments of a process that runs some of the terminals, without --replace. */
  static List<String> ofWorker(CommandSpec command, BenchmarkOptions options, DatabaseUrl url) {
    List<String> words = new ArrayList<>(List.of(command.name()));
    words.addAll(repeatedOptions(command));
    words.addAll(List.of("--url", url.text(), "--seed", Long.toString(options.seed())));
    return words;
  }

  private static String line(
      CommandSpec command, List<DatabaseUrl> urls, BenchmarkOptions options) {
    List<String> words = new ArrayList<>(List.of("./nelumbo", "bench", command.name()));
    words.addAll(repeatedOptions(command));
    urls.forEach(url -> words.add("--url=" + url.masked()));
    words.add("--seed=" + options.seed());
    return joined(words);
  }

  /** Joins words, quoted for a shell. */
  static String joined(List<String> words) {
    return words.stream().map(CommandLines::quoted).collect(Collectors.joining(" "));
  }

  /** Returns the given options, except those that each process gets anew. */
  static List<String> repeatedOptions(CommandSpec command) {
    List<String> result = new ArrayList<>();
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptionsSet()) {
      String name = option.longestName();
      if (REPLACED.contains(name)) {
        continue;
      }
      if (option.getValue() instanceof Boolean on) {
        result.add(on ? name : name.replaceFirst("--", "--no-"));
      } else {
        option.originalStringValues().forEach(value -> result.add(name + "=" + value));
      }
    }
    return result;
  }

  private static Map<String, String> values(CommandSpec command) {
    Map<String, String> values = new LinkedHashMap<>();
    for (OptionSpec option : command.options()) {
      if (!NOT_REPORTED.contains(option.longestName())) {
        values.put(option.longestName().replaceFirst("^-+", ""), text(option));
      }
    }
    return values;
  }

  private static String text(OptionSpec option) {
    List<String> given = option.originalStringValues();
    if (!given.isEmpty() && !(option.getValue() instanceof Boolean)) {
      return String.join(", ", given);
    }
    return switch (option.<Object>getValue()) {
      case null -> "";
      case Boolean on -> on ? "on" : "off";
      case Collection<?> all ->
          all.stream().map(Object::toString).collect(Collectors.joining(", "));
      default -> option.defaultValue() == null ? "" : option.defaultValue();
    };
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
