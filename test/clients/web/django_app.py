"""A Django application with django-cas-ng. The headers of the answer show what it learnt about the user."""

import os
import sys
from urllib.parse import quote, urlencode, urljoin

import cas
import django
import requests
from django.conf import settings

APPLICATION = f"http://127.0.0.1:{sys.argv[1]}"
# These settings count for the whole application.
FEATURE = os.environ.get("FEATURE")

# This path accepts tickets of any proxy. django-cas-ng has no setting for it.
cas.CASClientV3.url_suffix = "p3/proxyValidate"

settings.configure(
    SECRET_KEY="a key for tests",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.messages",
        "django.contrib.sessions",
        "django_cas_ng",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django_cas_ng.middleware.CASMiddleware",
    ],
    AUTHENTICATION_BACKENDS=["django_cas_ng.backends.CASBackend"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.path.join(os.environ["FOLDER"], "django.sqlite"),
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    LOGIN_URL="/accounts/login/",
    CAS_SERVER_URL=os.environ["SERVER"],
    CAS_VERSION="CAS_2_SAML_1_0" if FEATURE == "saml" else "3",
    CAS_RENEW=FEATURE == "renew",
    CAS_PROXY_CALLBACK=f"{APPLICATION}/accounts/callback",
    CAS_REDIRECT_URL="/app",
    CAS_LOGGED_MSG=None,
    CAS_LOGIN_MSG=None,
)
django.setup()

from django.contrib.auth.decorators import login_required  # noqa: E402
from django.core.management import execute_from_command_line  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402
from django_cas_ng.models import ProxyGrantingTicket  # noqa: E402
from django_cas_ng.views import CallbackView, LoginView, LogoutView  # noqa: E402


@login_required
def page(request):
    attributes = request.session.get("attributes", {})
    headers = {"User": quote(request.user.get_username()), "Mail": attributes.get("mail", "")}
    return HttpResponse("the page of the application", headers=headers)


@login_required
def proxy(request):
    """Opens a page of another Django application as the user, and answers what that learnt about him."""
    # Applications with django-cas-ng take tickets at their login page.
    login = urljoin(request.GET["target"], "/accounts/login/")
    service = f"{login}?{urlencode({'next': '/app'})}"
    ticket = ProxyGrantingTicket.retrieve_pt(request, service)
    answer = requests.Session().get(f"{service}&ticket={ticket}")
    headers = {name: answer.headers[name] for name in ("User", "Mail") if name in answer.headers}
    return HttpResponse(status=answer.status_code, headers=headers)


urlpatterns = [
    path("app", page),
    path("renew", page),
    path("saml", page),
    path("proxy", proxy),
    path("accounts/login/", LoginView.as_view(), name="cas_ng_login"),
    path("logout", LogoutView.as_view(), name="cas_ng_logout"),
    path("accounts/callback", CallbackView.as_view(), name="cas_ng_proxy_callback"),
]

if __name__ == "__main__":
    execute_from_command_line(["", "migrate", "--verbosity=0"])
    execute_from_command_line(["", "runserver", "--noreload", f"127.0.0.1:{sys.argv[1]}"])
