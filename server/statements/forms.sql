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

/* await-form-confirmation */
insert into form_signups (project_id, contact_id, form_id, requested_at)
select $1, $2, id, $3::timestamptz from forms where project_id = $4 and id = $5 for key share
on conflict (project_id, contact_id, form_id) do update set requested_at = excluded.requested_at;

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

/* find-address-state */
select exists (
select from suppressions where suppressions.project_id = $1 and suppressions.email = $2::text) as is_refused, (
    select jsonb_build_object('id', c.id, 'subscribed', c.subscribed, 'opted_out', c.opted_out, 'pending', c.pending)
    from contacts c where c.project_id = $3 and c.email = $4) as contact;

/* find-public-form */
select f.*, p.name as project_name, p.language as project_language, p.branding,
  coalesce(f.double_opt_in, (p.double_opt_in ->> 'enabled')::boolean, false) as confirms, coalesce((
    select jsonb_agg(jsonb_build_object('key', t.key, 'number', t.number, 'name', t.name, 'description', t.description,
      'defaultSubscribed', t.default_subscribed) order by array_position(f.topics, t.key))
    from topics t where t.project_id = f.project_id and t.key = any(f.topics)), '[]') as offered
from forms f join projects p on p.id = f.project_id
where f.id = $1 and f.enabled and p.disabled_at is null;

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

/* sum-form-counts */
select form_id, sum(shown)::int as shown, sum(submitted)::int as submitted, sum(confirmed)::int as confirmed, sum(spam)::int as spam
from form_days where project_id = $1 and form_id = any($2::uuid[]) group by form_id;

/* take-confirmed-forms */
delete from form_signups where project_id = $1 and contact_id = $2 returning form_id;
