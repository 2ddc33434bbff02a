// A Spring Boot application with Spring Security's CAS support. The headers of the answer show what it learnt about the user.

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apereo.cas.client.authentication.AttributePrincipal;
import org.apereo.cas.client.proxy.ProxyGrantingTicketStorage;
import org.apereo.cas.client.proxy.ProxyGrantingTicketStorageImpl;
import org.apereo.cas.client.session.SingleSignOutFilter;
import org.apereo.cas.client.validation.Cas30ProxyTicketValidator;
import org.apereo.cas.client.validation.Saml11TicketValidator;
import org.apereo.cas.client.validation.TicketValidator;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.cas.SamlServiceProperties;
import org.springframework.security.cas.ServiceProperties;
import org.springframework.security.cas.authentication.CasAuthenticationProvider;
import org.springframework.security.cas.authentication.CasAuthenticationToken;
import org.springframework.security.cas.web.CasAuthenticationEntryPoint;
import org.springframework.security.cas.web.CasAuthenticationFilter;
import org.springframework.security.cas.web.CasGatewayAuthenticationRedirectFilter;
import org.springframework.security.cas.web.CasGatewayResolverRequestMatcher;
import org.springframework.security.cas.web.authentication.ServiceAuthenticationDetailsSource;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.session.ChangeSessionIdAuthenticationStrategy;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.AndRequestMatcher;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@EnableAutoConfiguration
@Configuration(proxyBeanMethods = false)
@Import(SpringSecurityCas.Pages.class)
public class SpringSecurityCas {
    private static final String SERVER = System.getenv("SERVER").replaceAll("/$", "");
    private static final String APPLICATION = "http://127.0.0.1:" + System.getenv("PORT");

    public static void main(String[] arguments) {
        SpringApplication.run(
                SpringSecurityCas.class,
                "--server.address=127.0.0.1",
                "--server.port=" + System.getenv("PORT"),
                "--server.tomcat.basedir=" + System.getenv("FOLDER"));
    }

    /** Settings of the pages below a path. */
    private record Protection(String path, ServiceProperties service, TicketValidator validator) {
        Protection {
            service.setService(APPLICATION + path + "/login/cas");
        }
    }

    private static Cas30ProxyTicketValidator validator() {
        var validator = new Cas30ProxyTicketValidator(SERVER);
        validator.setEncoding("UTF-8");
        return validator;
    }

    @Bean
    @Order(1)
    SecurityFilterChain renewingPages(HttpSecurity http) throws Exception {
        var service = new ServiceProperties();
        service.setSendRenew(true);
        Cas30ProxyTicketValidator validator = validator();
        validator.setRenew(true);
        var protection = new Protection("/renew", service, validator);
        return protect(http, protection, ticketFilter(protection));
    }

    @Bean
    @Order(2)
    SecurityFilterChain pagesWithSaml(HttpSecurity http) throws Exception {
        var protection = new Protection("/saml", new SamlServiceProperties(), new Saml11TicketValidator(SERVER));
        return protect(http, protection, ticketFilter(protection));
    }

    @Bean
    @Order(3)
    SecurityFilterChain proxyingPages(HttpSecurity http) throws Exception {
        ProxyGrantingTicketStorage storage = new ProxyGrantingTicketStorageImpl();
        Cas30ProxyTicketValidator validator = validator();
        validator.setProxyGrantingTicketStorage(storage);
        validator.setProxyCallbackUrl(APPLICATION + "/proxy/callback");
        var protection = new Protection("/proxy", new ServiceProperties(), validator);
        CasAuthenticationFilter filter = ticketFilter(protection);
        filter.setProxyGrantingTicketStorage(storage);
        filter.setProxyReceptorMatcher(PathPatternRequestMatcher.withDefaults().matcher("/proxy/callback"));
        return protect(http, protection, filter);
    }

    @Bean
    @Order(4)
    SecurityFilterChain pages(HttpSecurity http) throws Exception {
        var service = new ServiceProperties();
        // For tickets of proxies, which come to any page.
        service.setAuthenticateAllArtifacts(true);
        Cas30ProxyTicketValidator validator = validator();
        validator.setAcceptAnyProxy(true);
        var protection = new Protection("", service, validator);
        var gateway = new CasGatewayAuthenticationRedirectFilter(SERVER + "/login", protection.service);
        gateway.setRequestMatcher(new AndRequestMatcher(
                PathPatternRequestMatcher.withDefaults().matcher("/gateway"),
                new CasGatewayResolverRequestMatcher(protection.service)));
        http.addFilterBefore(gateway, CasAuthenticationFilter.class)
                .authorizeHttpRequests((requests) -> requests.requestMatchers("/gateway").permitAll())
                .logout((logout) -> logout
                        .logoutRequestMatcher(PathPatternRequestMatcher.withDefaults().matcher("/logout"))
                        .logoutSuccessUrl(SERVER + "/logout"));
        return protect(http, protection, ticketFilter(protection));
    }

    private static SecurityFilterChain protect(
            HttpSecurity http, Protection protection, CasAuthenticationFilter ticketFilter) throws Exception {
        var entryPoint = new CasAuthenticationEntryPoint();
        entryPoint.setLoginUrl(SERVER + "/login");
        entryPoint.setServiceProperties(protection.service);
        return http.securityMatcher(protection.path + "/**")
                .authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
                .exceptionHandling((handling) -> handling.authenticationEntryPoint(entryPoint))
                .addFilter(ticketFilter)
                // The server posts to the URL of the service at a single logout.
                .addFilterBefore(new SingleSignOutFilter(), CasAuthenticationFilter.class)
                .csrf((csrf) -> csrf.ignoringRequestMatchers(protection.path + "/login/cas"))
                .build();
    }

    private static CasAuthenticationFilter ticketFilter(Protection protection) {
        var provider = new CasAuthenticationProvider();
        provider.setKey("a key for tests");
        provider.setServiceProperties(protection.service);
        provider.setTicketValidator(protection.validator);
        provider.setAuthenticationUserDetailsService((token) -> new User(token.getName(), "", List.of()));
        var filter = new CasAuthenticationFilter();
        filter.setFilterProcessesUrl(protection.path + "/login/cas");
        filter.setServiceProperties(protection.service);
        filter.setAuthenticationManager(new ProviderManager(provider));
        filter.setAuthenticationDetailsSource(new ServiceAuthenticationDetailsSource(
                protection.service, protection.service.getArtifactParameter()));
        filter.setSessionAuthenticationStrategy(new ChangeSessionIdAuthenticationStrategy());
        return filter;
    }

    @RestController
    static final class Pages {
        @GetMapping({"/app", "/renew", "/gateway", "/saml"})
        String page(HttpServletRequest request, HttpServletResponse response) {
            AttributePrincipal user = userOf(request);
            if (user != null) {
                response.setHeader("User", encoded(user.getName()));
                response.setHeader("Mail", (String) user.getAttributes().get("mail"));
            }
            return "the page of the application";
        }

        /** Opens a page of another application as the user, and answers what that learnt about him. */
        @GetMapping("/proxy")
        void proxy(HttpServletRequest request, HttpServletResponse response) {
            String target = request.getParameter("target");
            String ticket = userOf(request).getProxyTicketFor(target);
            var call = HttpRequest.newBuilder(URI.create(target + "?ticket=" + encoded(ticket))).build();
            var client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
            var answer = client.sendAsync(call, BodyHandlers.discarding()).join();
            response.setStatus(answer.statusCode());
            for (String name : List.of("User", "Mail")) {
                answer.headers().firstValue(name).ifPresent((value) -> response.setHeader(name, value));
            }
        }

        private static AttributePrincipal userOf(HttpServletRequest request) {
            return request.getUserPrincipal() instanceof CasAuthenticationToken token
                    ? token.getAssertion().getPrincipal()
                    : null;
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        }
    }
}
