-- Contacts can be subscribed in bulk without deleting the suppressions of their addresses.
alter table contact_job_inputs add column keep_suppressions boolean not null default false;
