-- Postal address, logo and color of a project, for footers and public pages.
alter table projects add column branding jsonb not null default '{}';
