-- The end of a project's quiet hours, if `at` is in them; otherwise null. A time zone that this PostgreSQL doesn't have has none: an error
-- would stop the emails of other projects too.
create or replace function quiet_until(hours jsonb, at timestamptz) returns timestamptz language plpgsql stable as $$
declare
  zone text := hours ->> 'timezone';
  starts time := hours ->> 'from';
  ends time := hours ->> 'to';
  here timestamp;
begin
  if hours is null then return null; end if;
  here := at at time zone zone;
  if starts < ends and (here::time < starts or here::time >= ends) then return null; end if;
  if starts > ends and here::time < starts and here::time >= ends then return null; end if;
  return greatest(at + interval '1 second',
    (date_trunc('day', here) + ends + case when starts > ends and here::time >= starts then interval '1 day' else '0' end) at time zone zone);
exception when invalid_parameter_value then
  return null;
end $$;

-- Since when a contact gets no marketing email because of the sunset rule: the time of the last one that it received. Null if it gets
-- some. The rule is judged at that time, so that a contact that no longer receives anything stays stopped. Emails whose opens aren't
-- tracked don't count, nor do those before the contact confirmed its subscription or was reset. Reads no further back than the period.
create or replace function sunset_since(rule jsonb, project uuid, contact uuid) returns timestamptz language plpgsql stable as $$
declare
  received record;
  latest timestamptz;
  received_count int := 0;
  counted_from timestamptz;
begin
  if rule is null then return null; end if;
  select greatest(c.sunset_reset_at, c.confirmed_at) into counted_from from contacts c where c.project_id = project and c.id = contact;
  for received in
    select e.sent_at, (e.opened_at is not null or e.clicked_at is not null) as engaged
    from emails e
    where e.project_id = project and e.contact_id = contact and is_received_marketing(e.project_id, e.content_id, e.source_type, e.sent_at,
      e.bounced_at, e.tracking, e.test)
    order by e.id desc
  loop
    latest := coalesce(latest, received.sent_at);
    exit when received.sent_at <= latest - make_interval(days => (rule ->> 'days')::int) or received.sent_at <= counted_from;
    if received.engaged then return null; end if;
    received_count := received_count + 1;
  end loop;
  return case when received_count >= (rule ->> 'emails')::int then latest end;
end $$;

-- Whether an email is what contacts unsubscribe from, by the type and the topic of its content. Contents are deleted before emails.
create or replace function is_marketing(source text, type text, topic int) returns boolean language sql immutable parallel safe as $$
  select case source when 'TRANSACTIONAL' then coalesce(type = 'MARKETING' or (type = 'HEADLESS' and topic is not null), false)
    else coalesce(type, 'MARKETING') <> 'TRANSACTIONAL' end
$$;

-- Whether a contact has got as much marketing email as the frequency cap of its project allows, not counting `email` itself. What was sent
-- in the period counts, and what was accepted earlier and is still waiting, so that two emails at the same time are not both the last one.
-- `since` is the first id that an email of the period can have. In PL/pgSQL, so that a claim prepares to read all months only if it has to.
create or replace function is_capped(cap jsonb, project uuid, contact uuid, email uuid, at timestamptz, since uuid) returns boolean
language plpgsql stable as $$
begin
  return (
    select count(*) from emails e
    where e.project_id = project and e.contact_id = contact and e.id <> email and e.id >= since
      and (e.sent_at > at - make_interval(days => (cap ->> 'days')::int) or (e.status in ('PENDING', 'SENDING') and e.id < email))
      and (select is_marketing(e.source_type, c.type, c.topic) from (select) as one left join lateral (
        select type, topic from email_contents where email_contents.project_id = e.project_id and email_contents.id = e.content_id limit 1) as c on true)
  ) >= (cap ->> 'emails')::int;
end $$;

-- Whether an email is marketing that the contact received, and whose opens and clicks are known. Contents are deleted before emails.
create or replace function is_received_marketing(project uuid, content uuid, source text, sent timestamptz, bounced timestamptz, tracked text,
  test boolean) returns boolean language sql stable as $$
  select sent is not null and bounced is null and tracked <> 'DISABLED' and test is not true and source not in ('TEST', 'INBOUND')
    and (select is_marketing(source, c.type, c.topic) from (select) as one left join lateral (
      select type, topic from email_contents where email_contents.project_id = project and email_contents.id = content limit 1) as c on true)
$$;
