-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* choose-preference */
with written as (
    update contacts c set subscribed = coalesce($1::boolean, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce($2::boolean, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or $3::boolean is false), updated_at = $4::timestamptz
    where c.project_id = $5 and c.id = $6 and ("c"."subscribed", "c"."opted_out") <> (coalesce($7::boolean, "c"."subscribed"), not coalesce($8::boolean, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or $9::boolean is false))
    returning c.project_id, c.id, c.subscribed, c.subscribed_before
  ), "flips_rows" as (
    select * from (
    select c.project_id, $10::uuid, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
      (
select id from emails where project_id = $11 and contact_id = $12 and sent_at is not null order by id desc limit 1), '{}'::jsonb, $13::timestamptz
    from written c where c.subscribed <> c.subscribed_before
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "flips_rows_for_workflows" as (
    select posthorn_queue.add_batches($14, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $15, array_agg(id), $16::int)
    from (select r.* from "flips_rows" r where r.contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1))) as wanted group by project_id
  ),
  "flips" as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select * from "flips_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "flips_rows_for_workflows") >= 0
  )
delete from suppressions where project_id = $17 and email in (select email from contacts where project_id = $18 and id = $19 and $20::boolean);

/* find-preferences */
select p.name as project_name, p.language as project_language, p.branding, c.email, c.subscribed, c.opted_out, c.data -> 'locale' as locale
from projects p left join contacts c on c.project_id = p.id and c.id = $1
where p.id = $2;
