// An Express application with passport-cas. The headers of the answer show what it learnt about the user.
import { createRequire } from 'node:module';

const { MODULES, PORT, SERVER } = process.env;
// Its packages are in a folder of their own.
const load = createRequire(`${MODULES}/`);
const express = load('express');
const passport = load('passport');
const session = load('express-session');
const { Strategy } = load('passport-cas');

const options = {
  version: 'CAS3.0',
  // Without the slash at its end, to which the strategy adds the path.
  ssoBaseURL: SERVER.replace(/\/$/, ''),
  serverBaseURL: `http://127.0.0.1:${PORT}`,
};
const verify = ({ user, attributes }, done) => done(null, { name: user, mail: attributes.mail });
passport.use(new Strategy(options, verify));
passport.use('saml', new Strategy({ ...options, useSaml: true }, verify));
// This path accepts tickets of any proxy.
passport.use('proxied', new Strategy({ ...options, validateURL: '/p3/proxyValidate' }, verify));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

/** Lets requests of users pass; sends others to the login page, with these parameters. */
const requireUser = (strategy, loginParams = {}) => {
  const authenticate = passport.authenticate(strategy, { loginParams });
  return (request, response, next) =>
    request.isAuthenticated() ? next() : authenticate(request, response, next);
};

const showPage = ({ user }, response) => {
  response.set({ User: encodeURIComponent(user.name), Mail: user.mail });
  response.send('the page of the application');
};

const app = express();
app.use(session({ secret: 'a key for tests', resave: false, saveUninitialized: false }));
app.use(passport.session());
app.get('/app', requireUser('cas'), showPage);
app.get('/renew', requireUser('cas', { renew: 'true' }), showPage);
app.get('/saml', requireUser('saml'), showPage);
app.get('/proxied', requireUser('proxied'), showPage);
app.get('/logout', (request, response, next) => {
  request.logout((error) => (error ? next(error) : response.redirect(`${SERVER}logout`)));
});
app.listen(Number(PORT), '127.0.0.1');
