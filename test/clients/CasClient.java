// Validates tickets, and gets proxy tickets, with the Java CAS client: a line of JSON in, a line of JSON out with what the client
// returned or threw.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apereo.cas.client.authentication.AttributePrincipal;
import org.apereo.cas.client.proxy.ProxyGrantingTicketStorage;
import org.apereo.cas.client.proxy.ProxyGrantingTicketStorageImpl;
import org.apereo.cas.client.validation.AbstractUrlBasedTicketValidator;
import org.apereo.cas.client.validation.Cas10TicketValidator;
import org.apereo.cas.client.validation.Cas20ServiceTicketValidator;
import org.apereo.cas.client.validation.Cas30ProxyTicketValidator;
import org.apereo.cas.client.validation.Cas30ServiceTicketValidator;
import org.apereo.cas.client.validation.Saml11TicketValidator;
import org.apereo.cas.client.validation.TicketValidationException;
import org.apereo.cas.client.validation.json.Cas30JsonServiceTicketValidator;

public final class CasClient {
    public static void main(String[] arguments) throws IOException {
        ObjectMapper json = new ObjectMapper();
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            JsonNode request = json.readTree(line);
            var answer = request.hasNonNull("target") ? proxy(request) : validate(request);
            answers.println(json.writeValueAsString(answer));
        }
    }

    /** Validates a ticket with a callback, gets a proxy ticket for the target, and validates that. */
    private static Map<String, ?> proxy(JsonNode request) throws IOException {
        String server = request.get("server").asText();
        String target = request.get("target").asText();
        var storage = new ProxyGrantingTicketStorageImpl();
        HttpServer callback = callbackServer(storage);
        try {
            var validator = new Cas30ProxyTicketValidator(server);
            validator.setEncoding(request.get("encoding").asText());
            validator.setProxyGrantingTicketStorage(storage);
            String url = "http://127.0.0.1:" + callback.getAddress().getPort() + "/callback";
            validator.setProxyCallbackUrl(url);
            AttributePrincipal principal =
                    validator.validate(request.get("ticket").asText(), request.get("service").asText())
                            .getPrincipal();
            var targetValidator = new Cas30ProxyTicketValidator(server);
            targetValidator.setEncoding(request.get("encoding").asText());
            targetValidator.setAcceptAnyProxy(true);
            var assertion = targetValidator.validate(principal.getProxyTicketFor(target), target);
            return Map.of("returned", Map.of("user", assertion.getPrincipal().getName()));
        } catch (TicketValidationException | RuntimeException error) {
            return Map.of("thrown", causes(error));
        } finally {
            callback.stop(0);
        }
    }

    private static HttpServer callbackServer(ProxyGrantingTicketStorage storage) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/callback", (exchange) -> {
            Map<String, String> parameters = parameters(exchange.getRequestURI().getRawQuery());
            if (parameters.containsKey("pgtIou")) {
                storage.save(parameters.get("pgtIou"), parameters.get("pgtId"));
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String part : query == null ? new String[0] : query.split("&")) {
            String[] pair = part.split("=", 2);
            parameters.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        }
        return parameters;
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
            case "SAML 1.1" -> new Saml11TicketValidator(server);
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
