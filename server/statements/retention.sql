-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* delete-contents */
delete from email_contents c using (
  select project_id, id from email_contents as old where id < $1::uuid
    and not exists (
select from restored_months r where r.parent = $2 and r.keep_until > $3
  and "id" >= r.first_id and "id" < r.end_id) and not exists (
      select from (
  select unsent.project_id, unsent.content_id as id from projects cross join lateral (
    select distinct e.project_id, e.content_id from emails e
    where e.project_id = projects.id and e.status in ('SCHEDULED', 'PENDING', 'SENDING') and e.content_id < $4::uuid
  ) as unsent
  union
  select project_id, content_id from campaigns where status = 'SENDING' and content_id < $5::uuid) as kept
      where kept.project_id = old.project_id and kept.id = old.id)
  limit $6) as batch where c.project_id = batch.project_id and c.id = batch.id;
