-- The outbox and the ledger in one: an email is a frozen content, its variables and what became of it.

create table email_contents (
  project_id uuid not null,
  id uuid not null,
  subject text not null,
  body text not null,
  type text not null default 'TRANSACTIONAL' check (type in ('TRANSACTIONAL', 'MARKETING', 'HEADLESS')),
  attachments jsonb not null default '[]', -- kept once, however many recipients
  created_at timestamptz(3) not null,
  primary key (project_id, id)
) partition by range (id);

create table email_contents_default partition of email_contents default;

create table emails (
  project_id uuid not null,
  id uuid not null,
  contact_id uuid,
  content_id uuid not null,
  to_email text not null,
  to_name text,
  subject text, -- as rendered; filled when the email is first rendered
  from_email text not null,
  from_name text,
  reply_to text,
  headers jsonb not null default '{}',
  variables jsonb not null default '{}', -- what the request brought, over the contact's data of that moment
  contact_data jsonb not null default '{}',
  message_id text,
  source_type text not null check (source_type in ('TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'INBOUND')),
  template_id uuid,
  campaign_id uuid,
  workflow_execution_id uuid,
  status text not null default 'PENDING' check (status in
    ('PENDING', 'SENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED', 'FAILED', 'CANCELLED', 'RECEIVED')),
  error text,
  attempts integer not null default 0,
  lease_until timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  opened_at timestamptz(3),
  clicked_at timestamptz(3),
  bounced_at timestamptz(3),
  complained_at timestamptz(3),
  opens integer not null default 0,
  clicks integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
) partition by range (id);

create table emails_default partition of emails default;

create index emails_contact on emails (project_id, contact_id, id);
create index emails_status on emails (project_id, status, id);

-- What the capture transport took instead of sending it.
create table captured_messages (
  id uuid primary key,
  sender text not null,
  recipients text[] not null,
  raw bytea not null,
  created_at timestamptz(3) not null
);
