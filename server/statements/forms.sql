-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* add-form-counts */
insert into form_days as n (project_id, form_id, day, shown, submitted, confirmed, spam)
select c.project_id, c.form_id, c.day, count(*) filter (where c.name = 'shown'), count(*) filter (where c.name = 'submitted'),
  count(*) filter (where c.name = 'confirmed'), count(*) filter (where c.name = 'spam')
from unnest($1::uuid[], $2::uuid[], $3::text[],
  $4::date[]) as c(project_id, form_id, name, day)
where exists (select from forms f where f.project_id = c.project_id and f.id = c.form_id)
group by 1, 2, 3 order by 1, 2, 3
on conflict (project_id, form_id, day) do update set shown = n.shown + excluded.shown, submitted = n.submitted + excluded.submitted,
  confirmed = n.confirmed + excluded.confirmed, spam = n.spam + excluded.spam;

/* as-public-form */
select p.name as project_name, p.language as project_language, p.branding,
  coalesce(f.double_opt_in, (p.double_opt_in ->> 'enabled')::boolean, false) as confirms, coalesce((
    select jsonb_agg(jsonb_build_object('key', t.key, 'number', t.number, 'name', t.name, 'description', t.description,
      'defaultSubscribed', t.default_subscribed) order by array_position(f.topics, t.key))
    from topics t where t.project_id = f.project_id and t.key = any(f.topics)), '[]') as offered
from projects p cross join (
  select $1::uuid as project_id, $2::text[] as topics, $3::boolean as double_opt_in
) as f where p.id = f.project_id;

/* await-form-confirmations */
insert into form_signups as known (project_id, contact_id, form_id, requested_at, topics)
select s.project_id, s.contact_id, f.id, s.requested_at, array(select jsonb_array_elements_text(s.topics)::int)
from unnest($1::uuid[], $2::uuid[],
  $3::uuid[], $4::timestamptz[],
  $5::jsonb[]) as s(project_id, contact_id, form_id, requested_at, topics)
join forms f on f.project_id = s.project_id and f.id = s.form_id for key share of f
on conflict (project_id, contact_id, form_id) do update set requested_at = excluded.requested_at,
  topics = array(select unnest(known.topics) union select unnest(excluded.topics));

/* count-form-spam */
select count(*) as count from form_spam where project_id = $1 and form_id = $2;

/* count-forms */
select count(*) as count from forms where project_id = $1;

/* delete-form-signups-before */
delete from form_signups s using (
  select project_id, contact_id, form_id from form_signups where requested_at < $1::timestamptz order by requested_at limit $2
) as old where s.project_id = old.project_id and s.contact_id = old.contact_id and s.form_id = old.form_id;

/* delete-form-spam-before */
delete from form_spam s using (
  select project_id, form_id, id from form_spam where created_at < $1::timestamptz order by created_at limit $2
) as old where s.project_id = old.project_id and s.form_id = old.form_id and s.id = old.id;

/* erase-form-signups */
delete from form_signups where project_id = $1 and contact_id = any($2::uuid[]);

/* find-public-forms */
select f.*, p.name as project_name, p.language as project_language, p.branding,
  coalesce(f.double_opt_in, (p.double_opt_in ->> 'enabled')::boolean, false) as confirms, coalesce((
    select jsonb_agg(jsonb_build_object('key', t.key, 'number', t.number, 'name', t.name, 'description', t.description,
      'defaultSubscribed', t.default_subscribed) order by array_position(f.topics, t.key))
    from topics t where t.project_id = f.project_id and t.key = any(f.topics)), '[]') as offered
from forms f join projects p on p.id = f.project_id
where f.id = any($1::uuid[]) and f.enabled and p.disabled_at is null;

/* insert-form-spam */
insert into form_spam (project_id, form_id, id, reason, email, ip, user_agent, created_at)
select project_id, id, $1, $2, $3, $4, $5, $6::timestamptz
from forms where project_id = $7 and id = $8 and (
  select count(*) from form_spam s where s.project_id = forms.project_id and s.form_id = forms.id) < $9;

/* list-form-days */
select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(n.shown, 0) as shown, coalesce(n.submitted, 0) as submitted,
  coalesce(n.confirmed, 0) as confirmed, coalesce(n.spam, 0) as spam
from generate_series($1::date, $2::date, interval '1 day') as days(day)
left join form_days n on n.project_id = $3 and n.form_id = $4 and n.day = days.day::date
order by days.day;

/* list-form-spam */
select id, reason, email, ip, user_agent, created_at from form_spam
where project_id = $1 and form_id = $2 and id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
order by id desc limit $4;

/* lock-address-states */
with
  lock_timeout_set as materialized (select set_config('lock_timeout', $1, true)),
  given as (select * from unnest($2::uuid[], $3::text[]) with ordinality as g(project_id, email, position)),
  known as materialized (
    select c.project_id, c.email, c.id, c.subscribed, c.opted_out, c.pending
    from given join contacts c on c.project_id = given.project_id and c.email = given.email
      and c.project_id = any($4::uuid[]) and c.email = any($5::text[])
    where (select true from lock_timeout_set) order by c.project_id, c.email for no key update of c
  )
  select case when known.id is not null then jsonb_build_object('id', known.id, 'subscribed', known.subscribed,
      'opted_out', known.opted_out, 'pending', known.pending) end as contact,
    exists (
select from suppressions where suppressions.project_id = given.project_id and suppressions.email = given.email)
      or known.id is null and exists (
select from objections where objections.project_id = given.project_id::uuid
  and objections.email_hash = sha256(convert_to(given.project_id::uuid::text || ' ' || given.email, 'UTF8'))) as is_refused
  from given left join known on known.project_id = given.project_id and known.email = given.email
  order by given.position;

/* sum-form-counts */
select form_id, sum(shown)::int as shown, sum(submitted)::int as submitted, sum(confirmed)::int as confirmed, sum(spam)::int as spam
from form_days where project_id = $1 and form_id = any($2::uuid[]) group by form_id;

/* take-confirmed-forms */
delete from form_signups where project_id = $1 and contact_id = $2
returning form_id as "formId", topics;
