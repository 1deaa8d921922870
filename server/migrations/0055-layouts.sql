-- Headers and footers that templates and campaigns share, and blocks that are saved to be inserted again.
create table layouts (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null,
  header jsonb not null,
  footer jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);

create table saved_blocks (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null,
  blocks jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);

-- Visual templates and campaigns, which are compiled again when the brand or their layout changes.
create index templates_visual on templates (project_id, id) where document is not null;
create index campaigns_visual on campaigns (project_id, id) where document is not null and status in ('DRAFT', 'SCHEDULED');
