-- Mail that comes ready-made: what arrives at our own server, and what mail programs hand in.

-- A text that is no template and goes out, or is shown, as it is; and the plain text that came beside it.
alter table email_contents add column literal boolean not null default false;
alter table email_contents add column plain text;

-- Each arrived message once for each recipient: a server that missed our answer sends it again.
create table received_messages (
  project_id uuid not null references projects on delete cascade,
  recipient text not null,
  fingerprint bytea not null,
  received_at timestamptz(3) not null,
  primary key (project_id, recipient, fingerprint)
);
create index received_messages_age on received_messages (received_at);

-- Who takes mail for a domain is asked at every recipient.
create index domains_taking_mail on domains (domain) where status = 'VERIFIED';
