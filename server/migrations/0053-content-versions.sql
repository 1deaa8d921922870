-- Every content that a template or a campaign had. `version` is the number of the current one.
alter table templates add column version integer not null default 1;
alter table campaigns add column version integer not null default 1;

create table content_versions (
  project_id uuid not null,
  template_id uuid,
  campaign_id uuid,
  number integer not null,
  name text,
  subject text not null,
  preheader text,
  body text not null,
  document jsonb,
  mjml text,
  actor_kind text not null check (actor_kind in ('USER', 'KEY', 'SYSTEM')),
  actor_user_id uuid,
  created_at timestamptz(3) not null,
  check (num_nonnulls(template_id, campaign_id) = 1),
  unique (project_id, template_id, number),
  unique (project_id, campaign_id, number),
  foreign key (project_id, template_id) references templates (project_id, id) on delete cascade,
  foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade
);
