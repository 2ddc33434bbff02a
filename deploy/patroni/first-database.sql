-- FOR DEVELOPMENT ONLY: the password is a known word.
create role tessera login password 'development-only';
create database tessera owner tessera;
