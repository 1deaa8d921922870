-- When each API key was last used. Separate from the keys, which every request reads.
create table key_uses (
  project_id uuid not null,
  kind text not null,
  last_used_at timestamptz(3) not null,
  primary key (project_id, kind),
  foreign key (project_id, kind) references project_keys (project_id, kind) on delete cascade
);
