-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* choose-preference */
with written as (
    update contacts set subscribed = $1::boolean, subscribed_before = subscribed,
      opted_out = not $2::boolean, updated_at = $3::timestamptz
    where project_id = $4 and id = $5
      and (subscribed <> $6::boolean or opted_out = $7::boolean)
    returning *
  ), flips as (
insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select project_id, $8::uuid, case when subscribed then 'contact.subscribed' else 'contact.unsubscribed' end,
      id, (
select id from emails where project_id = $9 and contact_id = $10 and sent_at is not null order by id desc limit 1), '{}'::jsonb, $11::timestamptz
    from written where subscribed <> subscribed_before
  )
delete from suppressions where project_id = $12 and email in (select email from contacts where project_id = $13 and id = $14 and $15::boolean);

/* find-preferences */
select p.name as project_name, c.email, c.subscribed, c.opted_out, c.data -> 'locale' as locale
from projects p left join contacts c on c.project_id = p.id and c.id = $1
where p.id = $2;
