"""A Django application with django-cas-ng. The headers of the answer show what it learnt about the user."""

import os
import sys
from urllib.parse import quote

import django
from django.conf import settings

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
    CAS_VERSION="3",
    CAS_REDIRECT_URL="/app",
    CAS_LOGGED_MSG=None,
    CAS_LOGIN_MSG=None,
)
django.setup()

from django.contrib.auth.decorators import login_required  # noqa: E402
from django.core.management import execute_from_command_line  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402
from django_cas_ng.views import CallbackView, LoginView, LogoutView  # noqa: E402


@login_required
def page(request):
    attributes = request.session.get("attributes", {})
    headers = {"User": quote(request.user.get_username()), "Mail": attributes.get("mail", "")}
    return HttpResponse("the page of the application", headers=headers)


urlpatterns = [
    path("app", page),
    path("accounts/login/", LoginView.as_view(), name="cas_ng_login"),
    path("logout", LogoutView.as_view(), name="cas_ng_logout"),
    path("accounts/callback", CallbackView.as_view(), name="cas_ng_proxy_callback"),
]

if __name__ == "__main__":
    execute_from_command_line(["", "migrate", "--verbosity=0"])
    execute_from_command_line(["", "runserver", "--noreload", f"127.0.0.1:{sys.argv[1]}"])
