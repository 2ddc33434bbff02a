// Validates tickets with the Java CAS client: a line of JSON in, a line of JSON out with what the client
// returned or threw.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apereo.cas.client.authentication.AttributePrincipal;
import org.apereo.cas.client.validation.AbstractUrlBasedTicketValidator;
import org.apereo.cas.client.validation.Cas10TicketValidator;
import org.apereo.cas.client.validation.Cas20ServiceTicketValidator;
import org.apereo.cas.client.validation.Cas30ServiceTicketValidator;
import org.apereo.cas.client.validation.TicketValidationException;
import org.apereo.cas.client.validation.json.Cas30JsonServiceTicketValidator;

public final class CasClient {
    public static void main(String[] arguments) throws IOException {
        ObjectMapper json = new ObjectMapper();
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(json.writeValueAsString(validate(json.readTree(line))));
        }
    }

    private static Map<String, ?> validate(JsonNode request) {
        var validator = validator(request.get("protocol").asText(), request.get("server").asText());
        if (request.hasNonNull("encoding")) {
            validator.setEncoding(request.get("encoding").asText());
        }
        try {
            String ticket = request.get("ticket").asText();
            AttributePrincipal principal =
                    validator.validate(ticket, request.get("service").asText()).getPrincipal();
            return Map.of("returned",
                    Map.of("user", principal.getName(), "attributes", principal.getAttributes()));
        } catch (TicketValidationException | RuntimeException error) {
            return Map.of("thrown", causes(error));
        }
    }

    private static AbstractUrlBasedTicketValidator validator(String protocol, String server) {
        return switch (protocol) {
            case "1" -> new Cas10TicketValidator(server);
            case "2" -> new Cas20ServiceTicketValidator(server);
            case "3" -> new Cas30ServiceTicketValidator(server);
            case "3 as JSON" -> new Cas30JsonServiceTicketValidator(server);
            default -> throw new IllegalArgumentException(protocol);
        };
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
