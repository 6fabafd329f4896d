package org.nelumbo.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The methods by which classes implement interfaces of {@code java.sql} and {@code javax.sql}, and
 * which of them could let out something else than an {@code SQLException}.
 *
 * <p>A method is safe if each of its instructions either is in a {@code try} with {@code catch
 * (Throwable)}, or cannot throw unless an object is missing that is never missing: it reads and
 * writes fields, calls methods that are safe themselves, or a method of the list of {@link
 * #HARMLESS}. Unsafe are array elements, divisions, exceptions of its own making other than {@code
 * SQLException}, and all other calls, above all those of methods of an argument.
 */
final class SqlSurface {
  /**
   * What is called here without a guard: owner and name, or an owner that has only such methods.
   */
  static final Set<String> HARMLESS =
      Set.of(
          "java/lang/Object.<init>",
          "java/lang/Enum.<init>",
          "java/lang/Record.<init>",
          "java/lang/Math",
          "java/lang/Class.isInstance",
          "java/lang/Class.cast",
          "java/lang/Class.getName",
          "java/lang/String.isEmpty",
          "java/lang/String.valueOf",
          "java/lang/Integer.valueOf",
          "java/lang/Boolean.valueOf",
          "java/lang/Throwable.addSuppressed",
          "java/util/List.of",
          "java/util/List.size",
          "java/util/Map.of",
          "java/util/Objects.requireNonNull", // javac's, for an inner class
          "java/util/concurrent/atomic/AtomicBoolean",
          "java/util/concurrent/atomic/AtomicLong",
          "java/util/concurrent/atomic/AtomicReference",
          "java/util/concurrent/ConcurrentHashMap.<init>",
          "java/util/concurrent/CopyOnWriteArrayList", // of listeners, who expect no SQLException
          "java/util/concurrent/locks/ReentrantLock",
          "java/util/concurrent/TimeUnit",
          "java/sql/DriverManager.getLoginTimeout",
          "java/io/ByteArrayInputStream.<init>",
          "java/io/ByteArrayOutputStream.<init>",
          "java/io/StringReader.<init>",
          "java/io/StringWriter.<init>");

  private final Map<String, ClassModel> classes = new HashMap<>();
  private final Map<String, Class<?>> loaded = new HashMap<>();
  private final Map<String, Boolean> safe = new HashMap<>();
  private final Set<String> harmless;
  private final Set<String> reasons = new TreeSet<>();

  /**
   * A surface.
   *
   * @param harmless what may be called without a guard besides {@link #HARMLESS}
   */
  SqlSurface(Iterable<JavaClass> types, Set<String> harmless) {
    this.harmless = harmless;
    for (JavaClass type : types) {
      ClassModel model = ClassFile.of().parse(bytes(type));
      classes.put(model.thisClass().asInternalName(), model);
      loaded.put(model.thisClass().asInternalName(), type.reflect());
    }
  }

  private static byte[] bytes(JavaClass type) {
    try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // What is on the surface.

  /** All methods of the surface that are implemented here, as class and method. */
  Map<String, Method> methods() {
    Map<String, Method> found = new HashMap<>();
    loaded.forEach(
        (name, type) -> {
          if (!type.isInterface()) {
            Set<Class<?>> interfaces = sqlInterfaces(type);
            for (Method method : type.getDeclaredMethods()) {
              if (isPublic(method) && interfaces.stream().anyMatch(i -> declares(i, method))) {
                found.put(key(name, method.getName(), descriptor(method)), method);
              }
            }
          }
        });
    return found;
  }

  private static boolean isPublic(Method method) {
    int modifiers = method.getModifiers();
    return Modifier.isPublic(modifiers)
        && !Modifier.isStatic(modifiers)
        && !Modifier.isAbstract(modifiers)
        && !method.isBridge();
  }

  private static Set<Class<?>> sqlInterfaces(Class<?> type) {
    Set<Class<?>> found = new LinkedHashSet<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Class<?> each : c.getInterfaces()) {
        collect(each, found);
      }
    }
    found.removeIf(each -> !each.getName().startsWith("java") || !each.getName().contains(".sql."));
    return found;
  }

  private static void collect(Class<?> type, Set<Class<?>> into) {
    into.add(type);
    for (Class<?> each : type.getInterfaces()) {
      collect(each, into);
    }
  }

  private static boolean declares(Class<?> type, Method method) {
    return Arrays.stream(type.getMethods())
        .anyMatch(
            declared ->
                declared.getName().equals(method.getName())
                    && Arrays.equals(declared.getParameterTypes(), method.getParameterTypes()));
  }

  private static String descriptor(Method method) {
    return java.lang.invoke.MethodType.methodType(
            method.getReturnType(), method.getParameterTypes())
        .toMethodDescriptorString();
  }

  private static String key(String owner, String name, String descriptor) {
    return owner + "." + name + descriptor;
  }

  // Whether it is safe.

  /** Methods of the surface that are not safe, each with the reasons. */
  List<String> unsafe() {
    List<String> found = new ArrayList<>();
    for (String method : new TreeSet<>(methods().keySet())) {
      reasons.clear();
      safe.clear();
      if (!isSafe(method)) {
        found.add(shortName(method) + ": " + String.join("; ", reasons));
      }
    }
    return found;
  }

  /** One that is being looked at is taken for safe: it is not by calling itself. */
  private boolean isSafe(String key) {
    Boolean known = safe.putIfAbsent(key, true);
    if (known != null) {
      return known;
    }
    boolean result = find(key).code().map(code -> isSafe(key, code)).orElse(true);
    safe.put(key, result);
    return result;
  }

  private MethodModel find(String key) {
    String owner = key.substring(0, key.indexOf('.'));
    return classes.get(owner).methods().stream()
        .filter(
            method ->
                key.equals(
                    key(
                        owner,
                        method.methodName().stringValue(),
                        method.methodType().stringValue())))
        .findFirst()
        .orElseThrow();
  }

  private boolean isSafe(String method, CodeModel code) {
    Map<Label, Integer> places = new HashMap<>();
    List<ExceptionCatch> guards = new ArrayList<>();
    List<CodeElement> elements = code.elementList();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget target) {
        places.put(target.label(), i);
      } else if (elements.get(i) instanceof ExceptionCatch guard && catchesAll(guard)) {
        guards.add(guard);
      }
    }
    boolean result = true;
    for (int i = 0; i < elements.size(); i++) {
      if (!isGuarded(i, guards, places)) {
        String reason = reason(elements.get(i));
        if (reason != null) {
          reasons.add(shortName(method) + " " + reason);
        }
        result &=
            reason == null && !(elements.get(i) instanceof InvokeInstruction call && !isSafe(call));
      }
    }
    return result;
  }

  private static boolean catchesAll(ExceptionCatch guard) {
    return guard
        .catchType()
        .map(type -> type.asInternalName().equals("java/lang/Throwable"))
        .orElse(false);
  }

  private static boolean isGuarded(
      int place, List<ExceptionCatch> guards, Map<Label, Integer> places) {
    return guards.stream()
        .anyMatch(
            guard -> places.get(guard.tryStart()) <= place && place < places.get(guard.tryEnd()));
  }

  /** Why an instruction that is not guarded may throw; null if it does not. */
  private String reason(CodeElement element) {
    return switch (element) {
      case InvokeInstruction call when !isHarmless(call) && targets(call).isEmpty() ->
          "calls " + call.owner().asInternalName() + "." + call.name().stringValue();
      case ArrayLoadInstruction _, ArrayStoreInstruction _ -> "uses an array";
      case OperatorInstruction operator when divides(operator.opcode()) -> "divides";
      case NewObjectInstruction made when isForeignException(made.className()) ->
          "makes a " + made.className().asInternalName();
      default -> null;
    };
  }

  private static String shortName(String method) {
    String name = method.substring(0, method.indexOf('('));
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private static boolean divides(Opcode opcode) {
    return switch (opcode) {
      case IDIV, IREM, LDIV, LREM -> true;
      default -> false;
    };
  }

  private static boolean isForeignException(ClassEntry type) {
    String name = type.asInternalName();
    return (name.endsWith("Exception") || name.endsWith("Error")) && !name.startsWith("java/sql/");
  }

  private boolean isSafe(InvokeInstruction call) {
    return isHarmless(call) || targets(call).stream().allMatch(this::isSafe);
  }

  private boolean isHarmless(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    boolean isException = owner.startsWith("java/sql/") && name.equals("<init>");
    return isException || isListed(HARMLESS, owner, name) || isListed(harmless, owner, name);
  }

  private static boolean isListed(Set<String> list, String owner, String name) {
    return list.contains(owner) || list.contains(owner + "." + name);
  }

  /** The methods that a call may reach; empty if one of them is not ours. */
  private List<String> targets(InvokeInstruction call) {
    String name = call.name().stringValue();
    String descriptor = call.type().stringValue();
    List<String> found = new ArrayList<>();
    Class<?> type = loaded.get(call.owner().asInternalName());
    for (Class<?> c = type; c != null && found.isEmpty(); c = c.getSuperclass()) {
      add(c, name, descriptor, found);
    }
    if (type != null && !name.equals("<init>")) {
      for (Class<?> each : loaded.values()) {
        if (each != type && type.isAssignableFrom(each)) {
          add(each, name, descriptor, found);
        }
      }
    }
    return found;
  }

  private void add(Class<?> type, String name, String descriptor, List<String> into) {
    String owner = type.getName().replace('.', '/');
    ClassModel model = classes.get(owner);
    boolean has =
        model != null
            && model.methods().stream()
                .anyMatch(
                    method ->
                        method.methodName().equalsString(name)
                            && method.methodType().equalsString(descriptor)
                            && !method.flags().has(AccessFlag.ABSTRACT));
    if (has) {
      into.add(key(owner, name, descriptor));
    }
  }
}
