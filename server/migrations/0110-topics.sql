-- What contacts can choose to receive. Numbers are random, so what was stored for a deleted topic belongs to no other one.
create table topics (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  number int not null,
  key text not null,
  name text not null,
  description text,
  default_subscribed boolean not null,
  is_public boolean not null,
  position int not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  primary key (project_id, id),
  constraint topics_key_once unique (project_id, key),
  constraint topics_number_once unique (project_id, number)
);

-- The decisions of contacts; without a row, the default of the topic applies. No foreign keys, because a million rows at once
-- would check each of them.
create table contact_topics (
  project_id uuid not null,
  contact_id uuid not null,
  topic int not null,
  subscribed boolean not null,
  -- Whether the contact was in the topic before, by decision or by default.
  subscribed_before boolean not null,
  source text not null,
  updated_at timestamp(3) with time zone not null,
  primary key (project_id, contact_id, topic)
);
create index contact_topics_topic on contact_topics (project_id, topic);

-- The same decisions beside the subscription, so that choosing recipients reads one row for each contact: the number of a topic,
-- negative if the contact opted out of it. `topics_decided` maintains it.
alter table contacts add column topics int[] not null default '{}';
alter table contacts add column paused_until timestamp(3) with time zone;

alter table templates add column topic_id uuid;
alter table templates add constraint templates_topic foreign key (project_id, topic_id) references topics (project_id, id)
  on delete set null (topic_id) not valid;
alter table campaigns add column topic_id uuid;
alter table campaigns add constraint campaigns_topic foreign key (project_id, topic_id) references topics (project_id, id)
  on delete set null (topic_id) not valid;
create index templates_by_topic on templates (project_id, topic_id) where topic_id is not null;
create index campaigns_by_topic on campaigns (project_id, topic_id) where topic_id is not null;

-- The number of the topic of an email.
alter table email_contents add column topic int;
