// An application behind the servlet filters of pac4j, in Tomcat. The headers of the answer show what it learnt about the user.

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.pac4j.cas.client.CasClient;
import org.pac4j.cas.client.CasProxyReceptor;
import org.pac4j.cas.client.direct.DirectCasProxyClient;
import org.pac4j.cas.config.CasConfiguration;
import org.pac4j.cas.config.CasProtocol;
import org.pac4j.cas.profile.CasProxyProfile;
import org.pac4j.core.client.Client;
import org.pac4j.core.client.Clients;
import org.pac4j.core.config.Config;
import org.pac4j.core.profile.CommonProfile;
import org.pac4j.core.profile.ProfileManager;
import org.pac4j.jee.context.JEEContext;
import org.pac4j.jee.context.session.JEESessionStore;
import org.pac4j.jee.filter.CallbackFilter;
import org.pac4j.jee.filter.LogoutFilter;
import org.pac4j.jee.filter.SecurityFilter;

public final class Pac4jCas {
    private static final String SERVER = System.getenv("SERVER");
    private static final String APPLICATION = "http://127.0.0.1:" + System.getenv("PORT");

    public static void main(String[] arguments) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getenv("FOLDER"));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setPort(Integer.parseInt(System.getenv("PORT")));
        Context context = tomcat.addContext("", System.getenv("FOLDER"));
        addFilters(context, new Config(new Clients(APPLICATION + "/callback", clients())));
        addServlet(context, "/", new Page());
        addServlet(context, "/proxy", new Proxy());
        tomcat.start();
        tomcat.getServer().await();
    }

    private static List<Client> clients() {
        var receptor = new CasProxyReceptor();
        return List.of(
                client("plain", configuration()),
                client("renewing", configuration().setRenew(true)),
                client("saml", configuration().setProtocol(CasProtocol.SAML)),
                client("proxying", configuration().setProxyReceptor(receptor)),
                receptor,
                new DirectCasProxyClient(
                        configuration().setProtocol(CasProtocol.CAS30_PROXY).setAcceptAnyProxy(true),
                        APPLICATION + "/app"));
    }

    private static CasConfiguration configuration() {
        return new CasConfiguration(SERVER + "login", SERVER).setEncoding("UTF-8");
    }

    private static Client client(String name, CasConfiguration configuration) {
        var client = new CasClient(configuration);
        client.setName(name);
        return client;
    }

    private static void addFilters(Context context, Config config) {
        addFilter(context, "/app", new SecurityFilter(config, "plain,DirectCasProxyClient"));
        addFilter(context, "/renew", new SecurityFilter(config, "renewing"));
        addFilter(context, "/saml", new SecurityFilter(config, "saml"));
        addFilter(context, "/proxy", new SecurityFilter(config, "proxying"));
        addFilter(context, "/callback", new CallbackFilter(config));
        var logout = new LogoutFilter(config);
        logout.setCentralLogout(true);
        addFilter(context, "/logout", logout);
    }

    private static void addFilter(Context context, String path, Filter filter) {
        var definition = new FilterDef();
        definition.setFilterName(path);
        definition.setFilter(filter);
        context.addFilterDef(definition);
        var map = new FilterMap();
        map.setFilterName(path);
        map.addURLPattern(path);
        context.addFilterMap(map);
    }

    private static void addServlet(Context context, String path, HttpServlet servlet) {
        Tomcat.addServlet(context, path, servlet);
        context.addServletMappingDecoded(path, path);
    }

    private static CommonProfile userOf(HttpServletRequest request, HttpServletResponse response) {
        var profiles = new ProfileManager(new JEEContext(request, response), new JEESessionStore());
        return (CommonProfile) profiles.getProfile().orElse(null);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static final class Page extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            CommonProfile user = userOf(request, response);
            if (user != null) {
                response.setHeader("User", encoded(user.getId()));
                response.setHeader("Mail", (String) user.getAttribute("mail"));
            }
            response.getWriter().print("the page of the application");
        }
    }

    /** Opens a page of another application as the user, and answers what that learnt about him. */
    private static final class Proxy extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            String target = request.getParameter("target");
            String ticket = ((CasProxyProfile) userOf(request, response)).getProxyTicketFor(target);
            var call = HttpRequest.newBuilder(URI.create(target + "?ticket=" + encoded(ticket))).build();
            var client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
            var answer = client.sendAsync(call, BodyHandlers.discarding()).join();
            response.setStatus(answer.statusCode());
            for (String name : List.of("User", "Mail")) {
                answer.headers().firstValue(name).ifPresent((value) -> response.setHeader(name, value));
            }
        }
    }
}
