-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* end-contact-job */
with gone as (
  delete from contact_job_inputs where project_id = $1 and job_id = $2
), ended as (
  update contact_jobs set status = $3, error = $4::text, updated_at = $5::timestamptz,
  progress = case when $6 = 'COMPLETED' then 100 else progress end,
  result = coalesce($7::jsonb, result)
  where project_id = $8 and id = $9 and status in ('PENDING', 'PROCESSING')
  returning *
), "announced" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (
  select j.project_id, 'import.completed', null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('jobId', j.id, 'status', j.status, 'error', j.error) || coalesce(j.result, '{}') - 'errors'), $10::timestamptz
  from ended j where j.type = 'IMPORT'
  ) as r(project_id, name, contact_id, facts, created_at)
),
"announced_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select 1;

/* find-contact-job */
select id, type, status, progress, result, error, created_at, updated_at, confirmations_per_hour, confirmations_total, confirmations_sent, confirmations_skipped
from contact_jobs where project_id = $1 and id = $2;

/* lock-bulk-job */
select j.type, j.result, j.last_contact_id, j.cause, i.contact_ids, i.condition, i.keep_suppressions, i.target
from contact_jobs j join contact_job_inputs i on i.project_id = j.project_id and i.job_id = j.id
where j.project_id = $1 and j.id = $2 and j.status in ('PENDING', 'PROCESSING')
for update of j;

/* lock-import */
select result, cause from contact_jobs
where project_id = $1 and id = $2 and bytes_done = $3 and status in ('PENDING', 'PROCESSING')
for update;

/* lock-import-confirmations */
select j.confirmations_per_hour as "perHour", j.confirm_next_at as "nextAt", j.cause, p.disabled_at is not null as disabled
from contact_jobs j join projects p on p.id = j.project_id
where j.project_id = $1 and j.id = $2 and j.confirmations_per_hour is not null for update of j;

/* move-bulk-job */
update contact_jobs set status = 'PROCESSING', last_contact_id = $1, progress = $2,
  result = $3::jsonb, updated_at = $4::timestamptz
where project_id = $5 and id = $6;

/* move-import */
update contact_jobs set status = 'PROCESSING', bytes_done = $1, rows_done = $2,
  progress = $3, result = $4::jsonb, updated_at = $5::timestamptz
where project_id = $6 and id = $7;

/* move-import-confirmations */
update contact_jobs set confirmations_sent = confirmations_sent + $1::int, confirmations_skipped = confirmations_skipped + $2::int,
  confirm_next_at = $3::timestamptz, updated_at = $4::timestamptz
where project_id = $5 and id = $6;

/* queue-import-confirmations */
with queued as (
  insert into import_confirmations (project_id, job_id, contact_id, queued_at)
  select $1, $2, id, $3::timestamptz from unnest($4::uuid[]) as contact(id)
  on conflict do nothing returning contact_id
)
update contact_jobs set confirmations_total = confirmations_total + (select count(*)::int from queued)
where project_id = $5 and id = $6;

/* read-import */
select place.bytes, place.rows, i.layout, j.confirmations_per_hour is not null as confirms, octet_length(i.file) as file_bytes,
  substring(i.file from place.bytes + 1 for $1::int) as window
from contact_jobs j
join contact_job_inputs i on i.project_id = j.project_id and i.job_id = j.id
cross join lateral (
  select coalesce($2::int, j.bytes_done) as bytes, coalesce($3::int, j.rows_done) as rows
) place
where j.project_id = $4 and j.id = $5 and j.status in ('PENDING', 'PROCESSING');

/* start-contact-job */
with started as (
  update contact_jobs set status = 'PROCESSING', updated_at = $1::timestamptz
  where project_id = $2 and id = $3 and status = 'PENDING'
    and exists (select from projects where id = $4 and disabled_at is null)
)
select p.disabled_at is not null as disabled
from contact_jobs j join projects p on p.id = j.project_id
where j.project_id = $5 and j.id = $6 and j.status in ('PENDING', 'PROCESSING');

/* take-import-confirmations */
delete from import_confirmations i using (
  select contact_id from import_confirmations where project_id = $1 and job_id = $2
  order by contact_id limit $3::int
) as next
where i.project_id = $4 and i.job_id = $5 and i.contact_id = next.contact_id
returning i.contact_id as "contactId", i.queued_at as at;
