-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* choose-preference */
with written as (
    update contacts c set subscribed = coalesce($1::boolean, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce($2::boolean, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or $3::boolean is false), updated_at = $4::timestamptz
    where c.project_id = $5 and c.id = $6 and ("c"."subscribed", "c"."opted_out") <> (coalesce($7::boolean, "c"."subscribed"), not coalesce($8::boolean, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or $9::boolean is false))
    returning c.project_id, c.id, c.subscribed, c.subscribed_before
  ), flips as (
insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select c.project_id, $10::uuid, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
      (
select id from emails where project_id = $11 and contact_id = $12 and sent_at is not null order by id desc limit 1), '{}'::jsonb, $13::timestamptz
    from written c where c.subscribed <> c.subscribed_before
  )
delete from suppressions where project_id = $14 and email in (select email from contacts where project_id = $15 and id = $16 and $17::boolean);

/* find-preferences */
select p.name as project_name, p.language as project_language, p.branding, c.email, c.subscribed, c.opted_out, c.data -> 'locale' as locale
from projects p left join contacts c on c.project_id = p.id and c.id = $1
where p.id = $2;
