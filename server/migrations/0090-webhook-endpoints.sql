-- Webhook endpoints: URLs that get a request for each event they want.
create table webhook_endpoints (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  url text not null,
  -- The name or address in the URL, without the port.
  host text not null,
  description text,
  event_types text[] not null,
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('failing', 'gone')),
  failing_since timestamp(3) with time zone,
  last_delivery_at timestamp(3) with time zone,
  -- [{sealed, until}]: encrypted, newest first; the first one has no end.
  secrets jsonb not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  primary key (project_id, id)
);

-- Deliveries that wait for their first or next attempt. A row moves to the log when the delivery has succeeded or failed.
create table webhook_deliveries (
  project_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  -- The `webhook-id` of its requests.
  event_id uuid not null,
  event_type text not null,
  event_at timestamp(3) with time zone not null,
  contact_id uuid,
  email_id uuid,
  -- {contact, email, data} of the request. Null: they are read from the event when the request is made.
  facts jsonb,
  is_replay boolean not null default false,
  created_at timestamp(3) with time zone not null,
  next_attempt_at timestamp(3) with time zone not null,
  attempts jsonb not null default '[]',
  primary key (project_id, id)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, id);

create table webhook_log (
  project_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  event_at timestamp(3) with time zone not null,
  contact_id uuid,
  facts jsonb,
  is_replay boolean not null,
  is_test boolean not null,
  succeeded boolean not null,
  created_at timestamp(3) with time zone not null,
  attempts jsonb not null,
  primary key (project_id, id)
);
create index webhook_log_by_endpoint on webhook_log (project_id, endpoint_id, id);
create index webhook_log_by_contact on webhook_log (project_id, contact_id) where contact_id is not null;

-- The process that sends to a host, by its lock number. One at a time, so that the limits of concurrent requests hold.
create table webhook_hosts (
  host text primary key,
  sender int not null
);
