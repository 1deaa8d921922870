-- Campaigns that anyone can read, at the address that their project has chosen. The setting itself is in `projects.sending`.
alter table campaigns add column is_public boolean not null default false;
alter table projects add column archive_slug text;
create unique index projects_archive_slug on projects (archive_slug) where archive_slug is not null;
