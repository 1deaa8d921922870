-- Addresses that get no bulk mail, whatever becomes of the contact; and what erasing a contact needs to know.

-- Apart from the contact on purpose: it outlives a deletion and a new import of the same address.
create table suppressions (
  project_id uuid not null references projects on delete cascade,
  email text not null,
  id uuid not null,
  reason text not null check (reason in ('BOUNCE', 'COMPLAINT', 'MANUAL')),
  created_at timestamptz(3) not null,
  primary key (project_id, email),
  constraint suppressions_id_once unique (project_id, id)
);

-- How many emails that are not erased use this content. Empty for a text that was not written for certain people,
-- such as a campaign's: it stays. Counted, because an index over emails by content would slow down every delivery.
alter table email_contents add column emails_left integer;

-- Which email a captured message is of.
alter table captured_messages add column email_id uuid;
create index captured_messages_email on captured_messages (email_id);
