-- Bulk changes can be about a segment, topics or a workflow, which is their target. Not validated, because every stored type is one
-- of the earlier ones.
alter table contact_jobs drop constraint contact_jobs_type_check;
alter table contact_jobs add constraint contact_jobs_type_check check (type in
  ('IMPORT', 'BULK_SUBSCRIBE', 'BULK_UNSUBSCRIBE', 'BULK_DELETE', 'BULK_ADD_TO_SEGMENT', 'BULK_SET_TOPICS', 'BULK_START_WORKFLOW')) not valid;
alter table contact_job_inputs add column target jsonb;
