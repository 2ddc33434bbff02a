// An application behind the servlet filters of the Java CAS client, in Tomcat. The headers of the answer show what it learnt
// about the user.

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apereo.cas.client.authentication.AttributePrincipal;
import org.apereo.cas.client.authentication.AuthenticationFilter;
import org.apereo.cas.client.authentication.Saml11AuthenticationFilter;
import org.apereo.cas.client.session.SingleSignOutFilter;
import org.apereo.cas.client.util.HttpServletRequestWrapperFilter;
import org.apereo.cas.client.validation.Cas30ProxyReceivingTicketValidationFilter;
import org.apereo.cas.client.validation.Saml11TicketValidationFilter;

public final class CasFilters {
    private static final String SERVER = System.getenv("SERVER");
    private static final String APPLICATION = "http://127.0.0.1:" + System.getenv("PORT");

    public static void main(String[] arguments) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getenv("FOLDER"));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setPort(Integer.parseInt(System.getenv("PORT")));
        addApplication(tomcat);
        addRenewingApplication(tomcat);
        tomcat.start();
        tomcat.getServer().await();
    }

    private static void addApplication(Tomcat tomcat) {
        Context context = addContext(tomcat, "", "false");
        addPage(context, "/app", Map.of(), Map.of("acceptAnyProxy", "true"));
        addPage(context, "/gateway", Map.of("gateway", "true"), Map.of());
        addPage(context, "/proxy", Map.of(),
                Map.of("proxyCallbackUrl", APPLICATION + "/callback", "proxyReceptorUrl", "/callback"));
        addFilter(context, Saml11AuthenticationFilter.class, Map.of(), "/saml");
        addFilter(context, Saml11TicketValidationFilter.class, Map.of(), "/saml");
        addFilter(context, HttpServletRequestWrapperFilter.class, Map.of(), "/*");
        addServlet(context, "/", new Page());
        addServlet(context, "/proxy", new Proxy());
        addServlet(context, "/logout", new Logout());
    }

    /** The filters read this setting from the whole web application only. */
    private static void addRenewingApplication(Tomcat tomcat) {
        Context context = addContext(tomcat, "/renew", "true");
        addPage(context, "/*", Map.of(), Map.of());
        addFilter(context, HttpServletRequestWrapperFilter.class, Map.of(), "/*");
        addServlet(context, "/", new Page());
    }

    private static Context addContext(Tomcat tomcat, String path, String renew) {
        Context context = tomcat.addContext(path, System.getenv("FOLDER"));
        context.addParameter("serverName", APPLICATION);
        context.addParameter("casServerUrlPrefix", SERVER);
        context.addParameter("encoding", "UTF-8");
        context.addParameter("renew", renew);
        addFilter(context, SingleSignOutFilter.class, Map.of(), "/*");
        return context;
    }

    /** Protects a page; each has filters of its own. */
    private static void addPage(
            Context context, String path, Map<String, String> login, Map<String, String> validation) {
        addFilter(context, AuthenticationFilter.class, login, path);
        addFilter(context, Cas30ProxyReceivingTicketValidationFilter.class, validation, path, "/callback");
    }

    private static void addFilter(
            Context context, Class<?> type, Map<String, String> parameters, String... paths) {
        var filter = new FilterDef();
        filter.setFilterName(type.getSimpleName() + paths[0]);
        filter.setFilterClass(type.getName());
        parameters.forEach(filter::addInitParameter);
        context.addFilterDef(filter);
        var map = new FilterMap();
        map.setFilterName(filter.getFilterName());
        for (String path : paths) {
            map.addURLPattern(path);
        }
        context.addFilterMap(map);
    }

    private static void addServlet(Context context, String path, HttpServlet servlet) {
        Tomcat.addServlet(context, path, servlet);
        context.addServletMappingDecoded(path, path);
    }

    private static final class Page extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getUserPrincipal() instanceof AttributePrincipal user) {
                response.setHeader("User", encoded(user.getName()));
                response.setHeader("Mail", (String) user.getAttributes().get("mail"));
            }
            response.getWriter().print("the page of the application");
        }
    }

    /** Opens a page of another application as the user, and answers what that learnt about him. */
    private static final class Proxy extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String target = request.getParameter("target");
            String ticket = ((AttributePrincipal) request.getUserPrincipal()).getProxyTicketFor(target);
            var call = HttpRequest.newBuilder(URI.create(target + "?ticket=" + encoded(ticket))).build();
            // With cookies it follows the redirect that removes the ticket from the URL.
            var client = HttpClient.newBuilder()
                    .cookieHandler(new java.net.CookieManager())
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();
            var answer = client.sendAsync(call, BodyHandlers.discarding()).join();
            response.setStatus(answer.statusCode());
            for (String name : new String[] {"User", "Mail"}) {
                answer.headers().firstValue(name).ifPresent((value) -> response.setHeader(name, value));
            }
        }
    }

    private static final class Logout extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getSession().invalidate();
            response.sendRedirect(SERVER + "logout");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
