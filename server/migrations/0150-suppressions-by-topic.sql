-- Addresses that receive no marketing email of one topic, whether or not they belong to a contact. Deleting the topic deletes them.
create table topic_suppressions (
  project_id uuid not null,
  email text not null,
  topic int not null,
  id uuid not null,
  reason text not null check (reason in ('BOUNCE', 'COMPLAINT', 'MANUAL')),
  created_at timestamp(3) with time zone not null,
  primary key (project_id, email, topic),
  constraint topic_suppressions_id_once unique (project_id, id),
  foreign key (project_id, topic) references topics (project_id, number) on delete cascade
);
create index topic_suppressions_topic on topic_suppressions (project_id, topic, id);

-- The list of suppressions, filtered by reason.
create index suppressions_reason on suppressions (project_id, reason, id);
