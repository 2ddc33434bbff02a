// Starts Spring Boot applications that read properties from a config server: a line of JSON in with the
// arguments of one, a line of JSON out with its properties or the error of its start.

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class SpringConfigClient {
    private static final String FROM_SERVER = "configserver:";

    public static void main(String[] arguments) throws IOException {
        ObjectMapper json = new ObjectMapper();
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        // Standard output is for answers; the log goes to standard error.
        System.setOut(System.err);
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(json.writeValueAsString(start(json.readValue(line, String[].class))));
        }
    }

    private static Map<String, ?> start(String[] arguments) {
        var application =
                new SpringApplicationBuilder(SpringConfigClient.class).web(WebApplicationType.NONE);
        try (var context = application.run(arguments)) {
            return received(context.getEnvironment());
        } catch (RuntimeException error) {
            return Map.of("thrown", causes(error));
        }
    }

    /** Values of all keys that the server sent, and its property sources, highest precedence first. */
    private static Map<String, ?> received(ConfigurableEnvironment environment) {
        List<String> sources = new ArrayList<>();
        Map<String, String> properties = new TreeMap<>();
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source.getName().startsWith(FROM_SERVER)) {
                sources.add(source.getName().substring(FROM_SERVER.length()));
                for (String key : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                    properties.put(key, environment.getProperty(key));
                }
            }
        }
        String version = environment.getProperty("config.client.version", "");
        return Map.of("version", version, "sources", sources, "properties", properties);
    }

    private static List<Map<String, String>> causes(Throwable error) {
        List<Map<String, String>> causes = new ArrayList<>();
        for (Throwable each = error; each != null; each = each.getCause()) {
            causes.add(Map.of(
                    "class", each.getClass().getName(),
                    "message", String.valueOf(each.getMessage())));
        }
        return causes;
    }
}
