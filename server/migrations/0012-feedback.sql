-- What comes back after an email is sent: the words of other servers, scanners kept apart from people, and the
-- notifications of Amazon SNS, each taken once.

-- Never changed, only added to. Where an event tells the same fact, the note has the event's id.
create table email_notes (
  project_id uuid not null,
  id uuid not null,
  email_id uuid not null,
  kind text not null,
  words text not null,
  at timestamptz(3) not null,
  primary key (project_id, id)
) partition by range (id);

create table email_notes_default partition of email_notes default;

create index email_notes_email on email_notes (project_id, email_id);

-- A Transient bounce changes nothing but this: it says that the event was written.
alter table emails add column transient_bounced_at timestamptz(3);
-- Hits of scanners and prefetchers, which are no opens and clicks.
alter table emails add column bot_opens integer not null default 0;
alter table emails add column bot_clicks integer not null default 0;
-- The project's setting when the email was first taken for sending: a retry sends the same bytes.
alter table emails add column tracking text;

-- SES calls a message by an id of its own; everybody else by our Message-ID, which holds the email's id.
create index emails_provider_id on emails (message_id) where strpos(message_id, '@') = 0;

-- Each notification once. The text is forgotten when it is dealt with, the id when it cannot come again.
create table sns_messages (
  id text primary key,
  topic_arn text not null,
  body text,
  received_at timestamptz(3) not null
);
create index sns_messages_age on sns_messages (received_at);
