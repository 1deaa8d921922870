-- The topics of a form, by their numbers: the contact is subscribed to them once it confirms.
alter table form_signups add column topics integer[] not null default '{}';
