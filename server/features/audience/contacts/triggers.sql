-- Records how many contacts there are, how many are subscribed and how many have each field, as differences that
-- `fold-tallies` adds up. Every statement that writes contacts is covered, and none waits for a counter's row.

create or replace function record_contacts_added() returns trigger language plpgsql as $$
begin
  if not exists (select from added) then return null; end if;

  insert into contact_count_changes (project_id, tally, change)
  select project_id, 'contacts', count(*) from added group by project_id
  union all
  select project_id, 'subscribed', count(*) from added where subscribed group by project_id;
  if not exists (select from added where data <> '{}') then return null; end if;

  -- Usually no value is an object and every field is known: then it is enough to count keys, which takes a third of the time.
  with top as (
    select a.project_id, array[e.key] as path, count(*) filter (where e.type <> 'null') as contacts, bool_or(e.type = 'object') as nested
    from added a cross join lateral (select key, jsonb_typeof(value) as type from jsonb_each(a.data)) e
    group by a.project_id, e.key
  ), other as (
    select from top where nested
      or not exists (select from contact_fields f where f.project_id = top.project_id and f.path = top.path)
  )
  insert into contact_count_changes (project_id, tally, path, change)
  select project_id, 'field', path, contacts from top where contacts > 0 and not exists (select from other);
  if found then return null; end if;

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

create or replace function record_contacts_changed() returns trigger language plpgsql as $$
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

create or replace function record_contacts_gone() returns trigger language plpgsql as $$
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

create or replace trigger contacts_added after insert on contacts
  referencing new table as added for each statement execute function record_contacts_added();
create or replace trigger contacts_changed after update on contacts
  referencing old table as before new table as after for each statement execute function record_contacts_changed();
create or replace trigger contacts_gone after delete on contacts
  referencing old table as gone for each statement execute function record_contacts_gone();
