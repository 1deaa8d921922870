-- The operator of the installation: the first account, unless OPERATOR_EMAILS names others.
alter table users add column operator boolean not null default false;
update users set operator = true where id = (select id from users order by created_at, id limit 1);

-- Captured account and notification emails, which belong to no project.
alter table captured_messages add column system boolean not null default false;
create index captured_messages_system on captured_messages (id) where system;

-- An admin has seen the link, so it no longer proves access to the mailbox.
alter table invitations add column link_shown boolean not null default false;
