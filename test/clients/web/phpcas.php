<?php
// An application behind phpCAS. The headers of the answer show what it learnt about the user.
require_once getenv('CAS_FOLDER') . '/CAS.php';

$server = getenv('SERVER');
['host' => $host, 'port' => $port, 'path' => $path] = parse_url($server);
phpCAS::client(CAS_VERSION_3_0, $host, $port, rtrim($path, '/'), 'http://' . $_SERVER['HTTP_HOST']);
// It would use https.
$page = 'http://' . $_SERVER['HTTP_HOST'] . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
phpCAS::setServerLoginURL($server . 'login?service=' . urlencode($page));
phpCAS::setServerServiceValidateURL($server . 'p3/serviceValidate');
phpCAS::setServerLogoutURL($server . 'logout');
phpCAS::setNoCasServerValidation();
// Without a list of the server's host names, which it would look up for each request.
phpCAS::handleLogoutRequests(false);

switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
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
if (phpCAS::isAuthenticated()) {
    header('User: ' . rawurlencode(phpCAS::getUser()));
    header('Mail: ' . phpCAS::getAttribute('mail'));
}
echo 'the page of the application';
