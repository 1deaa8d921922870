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

-- Keeps `contacts.topics` equal to the contact's decisions. It is changed instead of read again, because another transaction may
-- be deciding about another topic of the same contact. Numbers of deleted topics are dropped on the way.
create or replace function store_topics_of_contacts() returns trigger language plpgsql as $$
begin
  if not exists (select from decided) then return null; end if;
  update contacts c set updated_at = greatest(c.updated_at, d.at),
    topics = array(
      select known.topic from unnest(c.topics) as known(topic)
      where abs(known.topic) <> all(d.numbers)
        and exists (select from topics where topics.project_id = c.project_id and topics.number = abs(known.topic))
    ) || d.decisions
  from (
    select project_id, contact_id, max(updated_at) as at, array_agg(topic) as numbers,
      array_agg(case when subscribed then topic else -topic end order by topic) as decisions
    from decided group by project_id, contact_id
  ) as d
  where c.project_id = d.project_id and c.id = d.contact_id;
  return null;
end $$;

create or replace trigger topics_decided after insert on contact_topics
  referencing new table as decided for each statement execute function store_topics_of_contacts();
create or replace trigger topics_decided_again after update on contact_topics
  referencing new table as decided for each statement execute function store_topics_of_contacts();
-- Decisions about a topic have no foreign key, because a million rows at once would check each of them.
create or replace function delete_decisions_on_topics() returns trigger language plpgsql as $$
begin
  delete from contact_topics d using gone where d.project_id = gone.project_id and d.topic = gone.number;
  return null;
end $$;

create or replace trigger topics_gone after delete on topics
  referencing old table as gone for each statement execute function delete_decisions_on_topics();

create or replace function delete_decisions_of_contacts() returns trigger language plpgsql as $$
begin
  delete from contact_topics d using gone where d.project_id = gone.project_id and d.contact_id = gone.id;
  return null;
end $$;

create or replace trigger contacts_gone_from_topics after delete on contacts
  referencing old table as gone for each statement execute function delete_decisions_of_contacts();
