// Prints, for each line "P pattern" of the input, the verdicts of java.util.regex on the lines "U url" as Apereo CAS asks
// it: of the whole text, without regard to case. One character of output has the verdicts on four URLs.
import java.util.List;
import java.util.regex.Pattern;

public class JavaPatterns {
  public static void main(String[] args) {
    List<String> lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).lines().toList();
    List<String> urls = lines.stream().filter(line -> line.startsWith("U ")).map(line -> line.substring(2)).toList();
    for (String line : lines) {
      if (!line.startsWith("P ")) continue;
      Pattern pattern = Pattern.compile(line.substring(2), Pattern.CASE_INSENSITIVE);
      StringBuilder verdicts = new StringBuilder();
      for (int at = 0; at < urls.size(); at += 4) {
        int four = 0;
        for (int next = at; next < at + 4; next++) {
          boolean matches = next < urls.size() && pattern.matcher(urls.get(next)).matches();
          four = four * 2 + (matches ? 1 : 0);
        }
        verdicts.append(Integer.toHexString(four));
      }
      System.out.println(verdicts);
    }
  }
}
