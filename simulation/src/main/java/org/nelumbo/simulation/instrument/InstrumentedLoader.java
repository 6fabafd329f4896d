package org.nelumbo.simulation.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.nelumbo.database.Database;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.planner.catalog.Catalog;

/**
 * A class loader that loads the engine and the simulator again, separately from the classes already
 * loaded, and instruments the engine. Libraries are shared.
 */
public final class InstrumentedLoader extends ClassLoader {
  private static final String OURS = "org.nelumbo.";

  /** Classes that the code inside and outside of the loader shares. */
  private static final Set<String> SHARED =
      Set.of(
          InstrumentedLoader.class.getName(),
          SiteCatalog.class.getName(),
          SiteCatalog.Site.class.getName(),
          SiteCatalog.Kind.class.getName());

  /**
   * Packages in which throwables may be injected: those that work on the pool, and on the state
   * shared by compute nodes.
   */
  private static final List<String> PROBED =
      List.of(
          "org.nelumbo.dm.alloc.",
          "org.nelumbo.dm.index.",
          "org.nelumbo.executor.cache.",
          "org.nelumbo.executor.commit.",
          "org.nelumbo.executor.engine.",
          "org.nelumbo.executor.gc.",
          "org.nelumbo.executor.index.",
          "org.nelumbo.executor.insert.",
          "org.nelumbo.executor.lock.",
          "org.nelumbo.executor.op.modify.",
          "org.nelumbo.executor.readahead.",
          "org.nelumbo.executor.recovery.",
          "org.nelumbo.executor.table.",
          "org.nelumbo.executor.timestamp.",
          "org.nelumbo.executor.txn.",
          "org.nelumbo.executor.version.",
          "org.nelumbo.planner.catalog.",
          "org.nelumbo.database.ddl.");

  private final ClassFile classFile;
  private final SiteCatalog catalog = new SiteCatalog();
  private final List<Defect> defects;
  private final Map<String, byte[]> instrumented = new HashMap<>();
  private final Set<CodeEdit> planted = new HashSet<>();

  /**
   * Instruments the engine.
   *
   * @param probes whether throwables may be injected at its lines
   * @param defects defects to plant, all disabled
   * @throws IllegalArgumentException if the code that a defect replaces is missing
   */
  public InstrumentedLoader(boolean probes, List<Defect> defects) {
    super(InstrumentedLoader.class.getClassLoader());
    this.defects = List.copyOf(defects);
    this.classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(getParent())
                    .orElse(ClassHierarchyResolver.defaultResolver())));
    setDefaultAssertionStatus(InstrumentedLoader.class.desiredAssertionStatus());
    for (Class<?> each : List.of(Channel.class, Engine.class, Catalog.class, Database.class)) {
      for (String name : classesBeside(each)) {
        instrument(name, probes && isProbed(name));
      }
    }
    for (Defect defect : defects) {
      for (CodeEdit edit : defect.edits()) {
        if (!planted.contains(edit)) {
          throw new IllegalArgumentException(
              "the code that defect " + defect.name() + " replaces does not exist: " + edit);
        }
      }
    }
  }

  /** Returns true if the caller's class was loaded by such a loader. */
  public static boolean isInside(Class<?> caller) {
    return caller.getClassLoader() instanceof InstrumentedLoader;
  }

  /** Returns the points at which throwables may be injected. */
  public SiteCatalog catalog() {
    return catalog;
  }

  private static boolean isProbed(String name) {
    return PROBED.stream().anyMatch(name::startsWith);
  }

  private static Iterable<String> classesBeside(Class<?> one) {
    try {
      Path source = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(source)) {
        return classesIn(source);
      }
      try (FileSystem jar = FileSystems.newFileSystem(source)) {
        return classesIn(jar.getPath("/"));
      }
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException("the classes beside " + one + " cannot be listed", e);
    }
  }

  private static Set<String> classesIn(Path root) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(root)) {
      files
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(name -> name.endsWith(".class"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .filter(name -> name.startsWith(OURS) && !name.endsWith("-info"))
          .forEach(names::add);
    }
    return names;
  }

  private byte[] bytes(String name) {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("class " + name + " cannot be read", e);
    }
  }

  private void instrument(String name, boolean probes) {
    String simple = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    boolean broken =
        defects.stream()
            .flatMap(each -> each.edits().stream())
            .anyMatch(each -> each.type().equals(simple));
    if (!broken && !probes) {
      return;
    }
    ClassModel model = classFile.parse(bytes(name));
    ProbePlanter planter = new ProbePlanter(name, catalog);
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method && method.code().isPresent()) {
            builder.transformMethod(
                method,
                MethodTransform.transformingCode(transformOf(method, simple, probes, planter)));
          } else {
            builder.with(element);
          }
        };
    instrumented.put(name, classFile.transformClass(model, transform));
  }

  private CodeTransform transformOf(
      MethodModel method, String type, boolean probes, ProbePlanter planter) {
    List<CodeTransform> all = new ArrayList<>();
    for (Defect defect : defects) {
      for (CodeEdit edit : defect.edits()) {
        if (edit.type().equals(type) && method.methodName().equalsString(edit.method())) {
          all.add(new DefectPlanter(defect.number(), edit, method, () -> planted.add(edit)));
        }
      }
    }
    if (probes) {
      all.add(planter.planterOf(method));
    }
    return all.stream().reduce(CodeTransform.ACCEPT_ALL, CodeTransform::andThen);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || SHARED.contains(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] code = instrumented.remove(name);
        code = code == null ? bytes(name) : code;
        if (code == null) {
          throw new ClassNotFoundException(name);
        }
        loaded = defineClass(name, code, 0, code.length);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }
}
