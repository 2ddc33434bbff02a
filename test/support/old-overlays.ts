// Overlays of Apereo CAS of ten kinds, written after published ones.
import { cipherVectors } from './cipher-vectors.js';
import type { OldFiles, Section } from './old-server.js';

export const SERVICE = JSON.stringify({
  '@class': 'org.apereo.cas.services.RegexRegisteredService',
  serviceId: '^https://portal\\.example\\.org/.*',
  name: 'Portal',
  id: 1001,
});

const BASE =
  'cas.server.name=https://login.example.org\ncas.server.prefix=${cas.server.name}/cas\n';

export const [CIPHER = { cipher: '', plain: '', password: '' }] = cipherVectors('jasypt').filter(
  ({ alg, iv, iterations, plain }) =>
    alg === 'PBEWithMD5AndTripleDES' &&
    iv === 'false' &&
    iterations === '1000' &&
    /^[ -~]+$/.test(plain),
);

interface Overlay {
  readonly files: OldFiles;
  readonly options?: readonly string[];
  readonly profile?: string;
  /** Parts of the settings here. */
  readonly settings: object;
  /** Old keys and their sections. */
  readonly sections: Readonly<Partial<Record<Section, readonly string[]>>>;
}

export const OVERLAYS: Readonly<Record<string, Overlay>> = {
  'static users': {
    profile: 'trial',
    files: {
      'etc/cas/config/cas.properties': `${BASE}cas.authn.accept.users=ann::secret1,bob::p@ss:2
cas.authn.attribute-repository.stub.attributes.mail=all@example.org
cas.authn.attribute-repository.core.default-attributes-to-release=mail,cn
cas.tgc.crypto.signing.key=abc
logging.config=file:/etc/cas/config/log4j2.xml
server.port=8443
server.ssl.enabled=false`,
    },
    settings: {
      givenBaseUrl: 'https://login.example.org/cas',
      port: 8443,
      dialect: 'apereo',
      handlers: ['static'],
      defaultAttributes: ['mail', 'cn'],
      staticAttributes: { ann: { mail: ['all@example.org'] }, bob: { mail: ['all@example.org'] } },
      tickets: { tgtRememberMeLifetime: 0 },
    },
    sections: {
      renamed: ['cas.server.prefix', 'cas.authn.accept.users', 'server.port'],
      left: ['cas.tgc.crypto.signing.key', 'logging.config', 'server.ssl.enabled'],
    },
  },
  'one directory': {
    files: {
      'etc/cas/config/cas.properties': `${BASE}cas.authn.accept.users=
cas.authn.ldap[0].type=AUTHENTICATED
cas.authn.ldap[0].ldap-url=ldaps://ldap1.example.org ldaps://ldap2.example.org:636
cas.authn.ldap[0].base-dn=ou=people,dc=example,dc=org
cas.authn.ldap[0].subtree-search=false
cas.authn.ldap[0].search-filter=uid={user}
cas.authn.ldap[0].bind-dn=cn=reader,dc=example,dc=org
cas.authn.ldap[0].bind-credential=pa#ss: "x"
cas.authn.ldap[0].principal-attribute-list=mail,cn:name,eduPersonAffiliation
cas.authn.ldap[0].connect-timeout=PT5S
cas.authn.ldap[0].response-timeout=5000
cas.authn.ldap[0].max-pool-size=20
cas.authn.ldap[0].min-pool-size=3
cas.ticket.tgt.primary.max-time-to-live-in-seconds=PT10H
cas.ticket.tgt.primary.time-to-kill-in-seconds=3600
cas.ticket.st.time-to-kill-in-seconds=30
cas.authn.throttle.failure.threshold=120
cas.authn.throttle.failure.range-seconds=90
cas.slo.disabled=true`,
    },
    settings: {
      handlers: ['ldap'],
      singleLogout: false,
      tickets: { tgtMaxLifetime: 36_000_000, tgtIdleTimeout: 3_600_000, stLifetime: 30_000 },
      throttle: {
        loginThreshold: 120,
        loginAddressThreshold: 120,
        loginWindow: 90_000,
        restEnabled: true,
        restThreshold: 120,
      },
      ldap: {
        urls: ['ldaps://ldap1.example.org', 'ldaps://ldap2.example.org:636'],
        scope: 'one',
        filter: '(uid={username})',
        baseDn: 'ou=people,dc=example,dc=org',
        attributes: { mail: 'mail', cn: 'name', eduPersonAffiliation: 'eduPersonAffiliation' },
        connectTimeout: 5000,
        timeout: 5000,
        poolSize: 20,
      },
    },
    sections: {
      left: ['cas.authn.accept.users', 'cas.authn.ldap[0].type', 'cas.authn.ldap[0].min-pool-size'],
      renamed: ['cas.authn.throttle.failure.threshold', 'cas.slo.disabled'],
    },
  },
  'two directories, one of them Active Directory': {
    files: {
      'config/cas.properties': `${BASE}cas.authn.ldap[0].name=Staff
cas.authn.ldap[0].order=2
cas.authn.ldap[0].ldap-url=ldaps://ldap.example.org
cas.authn.ldap[0].type=DIRECT
cas.authn.ldap[0].dn-format=uid=%s,ou=staff,dc=example,dc=org
cas.authn.ldap[1].name=Students (AD)
cas.authn.ldap[1].order=1
cas.authn.ldap[1].type=AD
cas.authn.ldap[1].ldap-url=ldaps://ad.example.org
cas.authn.ldap[1].base-dn=dc=ad,dc=example,dc=org
cas.authn.ldap[1].dn-format=%s@ad.example.org
cas.authn.ldap[1].search-filter=(|(sAMAccountName={user})(userPrincipalName={user}))
cas.authn.ldap[1].credential-criteria=.+@ad
cas.authn.attribute-repository.ldap[1].attributes.memberOf=groups
cas.authn.attribute-repository.ldap[1].ldap-url=ldaps://ad.example.org`,
      'services/portal-1001.json': SERVICE,
    },
    settings: {
      handlers: ['ldap'],
      directories: [
        {
          name: 'students-ad',
          filter: '(|(sAMAccountName={username})(userPrincipalName={username}))',
          idAttribute: 'samaccountname',
          namePattern: '.*.+@ad.*',
          attributes: { memberOf: 'groups' },
        },
        { name: 'staff', userDn: 'uid={username},ou=staff,dc=example,dc=org' },
      ],
    },
    sections: {
      renamed: [
        'cas.authn.ldap[0].name',
        'cas.authn.ldap[1].order',
        'cas.authn.ldap[1].credential-criteria',
      ],
      left: ['cas.authn.ldap[1].dn-format', 'cas.authn.attribute-repository.ldap[1].ldap-url'],
    },
  },
  'users in a database': {
    files: {
      'etc/cas/config/cas.properties': `${BASE}cas.authn.jdbc.query[0].url=jdbc:postgresql://db.example.org/users
cas.authn.jdbc.query[0].sql=select * from users where name=?
cas.authn.jdbc.query[0].password=s3cret
cas.ticket.registry.jpa.url=jdbc:postgresql://db.example.org/cas
cas.ticket.registry.jpa.password=s3cret2`,
    },
    settings: { handlers: ['accounts'] },
    sections: {
      missing: ['cas.authn.jdbc.query[0].sql', 'cas.authn.jdbc.query[0].password'],
      left: ['cas.ticket.registry.jpa.password'],
    },
  },
  'service files at /etc/cas/services': {
    files: {
      'etc/cas/config/cas.properties': `${BASE}cas.service-registry.core.init-from-json=true
cas.service-registry.json.location=file:/etc/cas/services`,
      'etc/cas/services/portal-1001.json': SERVICE,
    },
    settings: {},
    sections: {
      renamed: ['cas.service-registry.json.location'],
      left: ['cas.service-registry.core.init-from-json'],
    },
  },
  'YAML with profiles': {
    options: ['--profiles', 'prod'],
    files: {
      'src/main/resources/application.yml': `cas:
  server: { name: 'https://old.example.org' }
  authn: { ldap: [{ ldapUrl: 'ldaps://a.example.org', baseDn: 'dc=example,dc=org', searchFilter: 'uid={user}', principalAttributeList: [mail, 'cn:name'] }] }
---
spring.config.activate.on-profile: prod
cas.server.name: https://new.example.org
---
spring.config.activate.on-profile: test
cas.server.name: https://test.example.org
`,
      'etc/cas/config/application-prod.yml': 'cas.ticket.tgt.primary.time-to-kill-in-seconds: 1800',
      'etc/cas/config/application-dev.yml': 'cas.server.name: http://localhost:8080',
    },
    settings: {
      givenBaseUrl: 'https://new.example.org/cas',
      tickets: { tgtIdleTimeout: 1_800_000 },
      ldap: { urls: ['ldaps://a.example.org'], attributes: { mail: 'mail', cn: 'name' } },
    },
    sections: { renamed: ['cas.server.name', 'cas.authn.ldap[0].principalAttributeList'] },
  },
  'properties in ISO 8859-1, and with escapes': {
    files: {
      'cas.properties': Buffer.from(
        `${BASE}cas.authn.ldap[0].ldapUrl=ldaps://a.example.org
cas.authn.ldap[0].searchFilter=(uid={user})
cas.authn.ldap[0].baseDn=ou=Universität,dc=example,dc=org
cas.authn.ldap[0].bindDn=cn=Pr\\u00fcfer,dc=example,dc=org
cas.authn.ldap[0].bindCredential=Schlüssel`,
        'latin1',
      ),
    },
    settings: {
      ldap: { baseDn: 'ou=Universität,dc=example,dc=org', bindDn: 'cn=Prüfer,dc=example,dc=org' },
    },
    sections: { renamed: ['cas.authn.ldap[0].bindCredential'] },
  },
  'names of version 5': {
    files: {
      'WEB-INF/classes/application.properties': `cas.server.prefix=https://login.example.org/sso/
server.contextPath=/sso
cas.authn.accept.users=
cas.serviceRegistry.initFromJson=false
cas.serviceRegistry.json.location=classpath:/services
cas.ticket.tgt.maxTimeToLiveInSeconds=28800
cas.ticket.tgt.timeToKillInSeconds=7200
cas.ticket.tgt.rememberMe.enabled=true
cas.ticket.tgt.rememberMe.timeToKillInSeconds=1209600
cas.ticket.st.timeToKillInSeconds=10
cas.ticket.st.numberOfUses=1
cas.authn.ldap[0].ldapUrl=ldaps://ldap.example.org
cas.authn.ldap[0].useSsl=true
cas.authn.ldap[0].baseDn=dc=example,dc=org
cas.authn.ldap[0].userFilter=mail={user}
cas.authn.attributeRepository.defaultAttributesToRelease=uid,mail
cas.rest.attributeName=memberOf
cas.rest.attributeValue=registrar`,
      'WEB-INF/classes/services/portal-1001.json': SERVICE,
    },
    settings: {
      givenBaseUrl: 'https://login.example.org/sso',
      tickets: { tgtMaxLifetime: 28_800_000, tgtRememberMeLifetime: 1_209_600_000 },
      ldap: { filter: '(mail={username})' },
      restServices: { roleName: 'memberOf', roleValue: 'registrar' },
    },
    sections: { left: ['cas.ticket.st.numberOfUses', 'cas.authn.ldap[0].useSsl'] },
  },
  'a second factor, OpenID Connect and SAML': {
    options: [
      '--accept',
      'cas.authn.mfa',
      '--accept',
      'cas.authn.adaptive.policy.reject-countries',
    ],
    files: {
      'etc/cas/config/cas.properties': `${BASE}cas.authn.mfa.duo[0].duo-secret-key=TOPSECRET
cas.authn.mfa.triggers.global.global-provider-id=mfa-duo
cas.authn.mfa.trusted.device-registration-enabled=false
cas.authn.adaptive.policy.reject-countries=XX
cas.authn.policy.any.try-all=true
cas.authn.oidc.core.issuer=https://login.example.org/cas/oidc
cas.authn.oidc.registration.dynamicClientRegistrationMode=PROTECTED
cas.authn.oidc.core.claims-map.preferred_username=uid
cas.authn.oidc.core.userDefinedScopes.staff=department, memberOf
cas.authn.oauth.accessToken.maxTimeToLiveInSeconds=7200
cas.authn.saml-idp.core.entity-id=https://login.example.org/idp
cas.authn.pac4j.cas[0].login-url=https://other.example.org`,
    },
    settings: {
      oidc: {
        accessTokenLifetime: 7_200_000,
        givenAttributes: { preferred_username: 'uid' },
        scopes: { staff: ['department', 'memberOf'] },
      },
    },
    sections: {
      weaker: [
        'cas.authn.mfa.duo[0].duo-secret-key',
        'cas.authn.mfa.triggers.global.global-provider-id',
        'cas.authn.adaptive.policy.reject-countries',
      ],
      left: [
        'cas.authn.mfa.trusted.device-registration-enabled',
        'cas.authn.policy.any.try-all',
        'cas.authn.oidc.core.issuer',
        'cas.authn.oidc.registration.dynamicClientRegistrationMode',
      ],
      missing: ['cas.authn.pac4j.cas[0].login-url'],
    },
  },
  'encrypted values': {
    options: ['--password-env', 'TESSERA_TEST_OLD_KEY'],
    files: {
      'cas.properties': `${BASE}cas.authn.ldap[0].ldap-url=ldaps://ldap.example.org
cas.authn.ldap[0].base-dn=dc=example,dc=org
cas.authn.ldap[0].search-filter=uid={user}
cas.authn.ldap[0].bind-dn=cn=reader,dc=example,dc=org
cas.authn.ldap[0].bind-credential={cas-cipher}${CIPHER.cipher}`,
    },
    settings: { ldap: { bindDn: 'cn=reader,dc=example,dc=org' } },
    sections: { renamed: ['cas.authn.ldap[0].bind-credential'] },
  },
};
