# Finds a JDK 25 or newer and exports it as JAVA_HOME. Sourced by mvnw and nelumbo, so that nobody has to
# change their default java. Looks at JAVA_HOME, then at the usual places, then at the PATH; a JDK 25 is
# taken before a newer one. When there is none, says so in one line and leaves with status 2.

# prints the major version of the JDK in directory $1, or nothing if that is not a JDK
nelumbo_jdk_major() {
  [ -x "$1/bin/javac" ] || return 0
  if [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
  else
    "$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'
  fi
}

# prints the directory of the JDK that the PATH leads to, symbolic links resolved
nelumbo_jdk_on_path() {
  nelumbo_javac=$(command -v javac) || return 0
  nelumbo_javac=$(readlink -f "$nelumbo_javac" 2>/dev/null) || return 0
  dirname "$(dirname "$nelumbo_javac")"
}

# prints the first JDK 25, else the first newer one, among the candidates $@
nelumbo_pick_jdk() {
  nelumbo_newer=
  for nelumbo_home in "$@"; do
    nelumbo_major=$(nelumbo_jdk_major "$nelumbo_home")
    [ -n "$nelumbo_major" ] || continue
    if [ "$nelumbo_major" -eq 25 ]; then
      printf '%s\n' "$nelumbo_home"
      return 0
    fi
    if [ "$nelumbo_major" -gt 25 ] && [ -z "$nelumbo_newer" ]; then nelumbo_newer=$nelumbo_home; fi
  done
  printf '%s\n' "$nelumbo_newer"
}

nelumbo_major=$(nelumbo_jdk_major "${JAVA_HOME:-/nonexistent}")
if [ "${nelumbo_major:-0}" -lt 25 ]; then
  nelumbo_home=$(nelumbo_pick_jdk /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* "$(nelumbo_jdk_on_path)")
  if [ -z "$nelumbo_home" ]; then
    echo "Nelumbo needs JDK 25 or newer and found none in JAVA_HOME, /usr/lib/jvm or the PATH: install one or set JAVA_HOME." >&2
    exit 2
  fi
  JAVA_HOME=$nelumbo_home
  export JAVA_HOME
fi
