-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* end-contact-job */
with gone as (delete from contact_job_inputs where project_id = $1 and job_id = $2)
update contact_jobs set status = $3, error = $4::text, updated_at = $5::timestamptz,
  progress = case when $6 = 'COMPLETED' then 100 else progress end,
  result = coalesce($7::jsonb, result)
where project_id = $8 and id = $9 and status in ('PENDING', 'PROCESSING');

/* find-contact-job */
select id, type, status, progress, result, error, created_at, updated_at
from contact_jobs where project_id = $1 and id = $2;

/* lock-bulk-job */
select j.type, j.result, j.last_contact_id, i.contact_ids, i.condition, i.keep_suppressions
from contact_jobs j join contact_job_inputs i on i.project_id = j.project_id and i.job_id = j.id
where j.project_id = $1 and j.id = $2 and j.status in ('PENDING', 'PROCESSING')
for update of j;

/* lock-import */
select result from contact_jobs
where project_id = $1 and id = $2 and bytes_done = $3 and status in ('PENDING', 'PROCESSING')
for update;

/* move-bulk-job */
update contact_jobs set status = 'PROCESSING', last_contact_id = $1, progress = $2,
  result = $3::jsonb, updated_at = $4::timestamptz
where project_id = $5 and id = $6;

/* move-import */
update contact_jobs set status = 'PROCESSING', bytes_done = $1, rows_done = $2,
  progress = $3, result = $4::jsonb, updated_at = $5::timestamptz
where project_id = $6 and id = $7;

/* read-import */
select place.bytes, place.rows, i.layout, octet_length(i.file) as file_bytes,
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
