-- What POST /v1/send accepts beside one message to one recipient. Null where an email has none of it.
alter table emails
  add column tags jsonb,
  add column reply_to_name text,
  add column cc jsonb,
  add column bcc jsonb,
  add column skipped jsonb,
  add column recipients_done text[],
  add column scheduled_for timestamptz,
  add column queued_at timestamptz;

-- The emails with a tag, in the order of their ids.
create table email_tags (
  project_id uuid not null,
  name text not null,
  value text not null,
  id uuid not null,
  primary key (project_id, name, value, id)
);
create index email_tags_by_age on email_tags (project_id, id);

-- The text part of content; generated from the HTML if it is null.
alter table templates add column plain text;
alter table campaigns add column plain text;
alter table content_versions add column plain text;

create index templates_by_name on templates (project_id, name, updated_at);

-- Identifies the request that has a key, so that the same request can get its response again.
alter table idempotency_keys add column fingerprint bytea;
