-- What is known about contacts without counting them: the type of each field, how many contacts have it, how many
-- there are and how many are subscribed. Triggers note differences, so every path that writes contacts is covered and
-- nobody waits for a counter's row; a job folds the differences into the counts.

-- The type of a field is the type of the first value ever seen for it.
create table contact_fields (
  project_id uuid not null references projects on delete cascade,
  path text[] not null,
  type text not null check (type in ('string', 'number', 'boolean', 'date')),
  primary key (project_id, path)
);

-- `tally` is 'contacts', 'subscribed', or 'field' with the path of the field.
create table contact_counts (
  project_id uuid not null references projects on delete cascade,
  tally text not null,
  path text[] not null default '{}',
  count bigint not null,
  primary key (project_id, tally, path)
);

create table contact_count_changes (
  project_id uuid not null,
  tally text not null,
  path text[] not null default '{}',
  change bigint not null
);
create index contact_count_changes_project on contact_count_changes (project_id);

create function field_type(value jsonb) returns text language sql immutable parallel safe as $$
  select case jsonb_typeof(value)
    when 'number' then 'number'
    when 'boolean' then 'boolean'
    when 'string' then case when value #>> '{}' ~
      '^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{3})?Z)?$'
      then 'date' else 'string' end
    else 'string' -- a list
  end
$$;

create function note_contacts_added() returns trigger language plpgsql as $$
begin
  if not exists (select from added) then return null; end if;

  insert into contact_count_changes (project_id, tally, change)
  select project_id, 'contacts', count(*) from added group by project_id
  union all
  select project_id, 'subscribed', count(*) from added where subscribed group by project_id;

  -- Leaves are values other than objects; null counts as absent. Types are determined for new fields only.
  with recursive node as (
    select a.project_id, a.id, array[e.key] as path, e.value from added a, jsonb_each(a.data) e
    union all
    select n.project_id, n.id, n.path || e.key, e.value from node n, jsonb_each(n.value) e where jsonb_typeof(n.value) = 'object'
  ), leaf as materialized (
    select * from node where jsonb_typeof(value) not in ('object', 'null')
  ), seen as (
    select project_id, path, count(*) as contacts from leaf group by project_id, path
  ), unknown as (
    select project_id, path from seen
    where not exists (select from contact_fields f where f.project_id = seen.project_id and f.path = seen.path)
  ), typed as (
    insert into contact_fields (project_id, path, type)
    select distinct on (project_id, path) project_id, path, field_type(value)
    from unknown join leaf using (project_id, path)
    order by project_id, path, id
    on conflict do nothing
  )
  insert into contact_count_changes (project_id, tally, path, change)
  select project_id, 'field', path, contacts from seen;
  return null;
end $$;

create function note_contacts_changed() returns trigger language plpgsql as $$
begin
  if not exists (select from after) then return null; end if; -- an upsert that inserts fires this too
  insert into contact_count_changes (project_id, tally, change)
  select project_id, 'subscribed', sum(case when after.subscribed then 1 else -1 end)
  from after join before using (project_id, id)
  where after.subscribed <> before.subscribed
  group by project_id;

  with recursive changed as (
    select project_id, id, before.data as was, after.data as is_now
    from after join before using (project_id, id) where after.data <> before.data
  ), node as (
    select project_id, id, 1 as sign, array[e.key] as path, e.value from changed, jsonb_each(is_now) e where e.value is distinct from was -> e.key
    union all
    select project_id, id, -1, array[e.key], e.value from changed, jsonb_each(was) e where e.value is distinct from is_now -> e.key
    union all
    select n.project_id, n.id, n.sign, n.path || e.key, e.value from node n, jsonb_each(n.value) e where jsonb_typeof(n.value) = 'object'
  ), leaf as materialized (
    select * from node where jsonb_typeof(value) not in ('object', 'null')
  ), seen as (
    select project_id, path, sum(sign) as change, max(sign) as newest from leaf group by project_id, path
  ), unknown as (
    select project_id, path from seen
    where newest = 1 and not exists (select from contact_fields f where f.project_id = seen.project_id and f.path = seen.path)
  ), typed as (
    insert into contact_fields (project_id, path, type)
    select distinct on (project_id, path) project_id, path, field_type(value)
    from unknown join leaf using (project_id, path)
    where sign = 1
    order by project_id, path, id
    on conflict do nothing
  )
  insert into contact_count_changes (project_id, tally, path, change)
  select project_id, 'field', path, change from seen where change <> 0;
  return null;
end $$;

create function note_contacts_gone() returns trigger language plpgsql as $$
begin
  if not exists (select from gone) then return null; end if;
  insert into contact_count_changes (project_id, tally, change)
  select project_id, 'contacts', -count(*) from gone group by project_id
  union all
  select project_id, 'subscribed', -count(*) from gone where subscribed group by project_id;

  with recursive node as (
    select g.project_id, array[e.key] as path, e.value from gone g, jsonb_each(g.data) e
    union all
    select n.project_id, n.path || e.key, e.value from node n, jsonb_each(n.value) e where jsonb_typeof(n.value) = 'object'
  )
  insert into contact_count_changes (project_id, tally, path, change)
  select project_id, 'field', path, -count(*) from node
  where jsonb_typeof(value) not in ('object', 'null') group by project_id, path;
  return null;
end $$;

create trigger contacts_added after insert on contacts
  referencing new table as added for each statement execute function note_contacts_added();
create trigger contacts_changed after update on contacts
  referencing old table as before new table as after for each statement execute function note_contacts_changed();
create trigger contacts_gone after delete on contacts
  referencing old table as gone for each statement execute function note_contacts_gone();
