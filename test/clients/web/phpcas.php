<?php
// An application behind phpCAS. The headers of the answer show what it learnt about the user.
require_once 'CAS.php';

$page = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
['host' => $host, 'port' => $port, 'path' => $path] = parse_url(getenv('SERVER'));
$server = [$host, $port, $path, getenv('APPLICATION')];
switch ($page) {
    case '/proxy':
        phpCAS::proxy(CAS_VERSION_3_0, ...$server);
        phpCAS::setPGTStorageFile(getenv('FOLDER') . '/state');
        break;
    case '/saml':
        phpCAS::client(SAML_VERSION_1_1, ...$server);
        break;
    default:
        phpCAS::client(CAS_VERSION_3_0, ...$server);
        phpCAS::allowProxyChain(new CAS_ProxyChain(['/^https:\/\/127\.0\.0\.1:\d+\/proxy$/']));
}
phpCAS::setCasServerCACert(getenv('AUTHORITY'));
// Without a list of the server's host names, which it would look up for each request.
phpCAS::handleLogoutRequests(false);

switch ($page) {
    case '/logout':
        phpCAS::logout();
    case '/renew':
        phpCAS::renewAuthentication();
        break;
    case '/gateway':
        phpCAS::checkAuthentication();
        break;
    default:
        phpCAS::forceAuthentication();
}
if ($page === '/proxy') {
    // Opens a page of another application as the user, and answers what that learnt about him.
    $call = phpCAS::getProxiedService(PHPCAS_PROXIED_SERVICE_HTTP_GET);
    $call->setUrl($_GET['target']);
    $call->send();
    http_response_code($call->getResponseStatusCode());
    array_map('header', preg_grep('/^(User|Mail):/i', $call->getResponseHeaders()));
} elseif (phpCAS::isAuthenticated()) {
    header('User: ' . rawurlencode(phpCAS::getUser()));
    header('Mail: ' . phpCAS::getAttribute('mail'));
}
echo 'the page of the application';
