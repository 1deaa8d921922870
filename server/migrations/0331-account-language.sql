-- The language in which a user sees the dashboard; null for that of the browser.
alter table users add column language text check (language in ('en', 'de', 'fr', 'es', 'pt'));
