-- A bulk change can apply to all contacts that match a condition. It proceeds in order of their ids.
alter table contact_job_inputs add column condition jsonb;
alter table contact_jobs add column last_contact_id uuid;
