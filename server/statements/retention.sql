-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* delete-contents */
delete from email_contents c using (
  select project_id, id from email_contents as old where id < $1::uuid
    and not exists (
select from restored_months r where r.parent = $2 and r.keep_until > $3
  and "id" >= r.first_id and "id" < r.end_id) and not exists (
      select from (select * from unnest($4::uuid[], $5::uuid[]) as needed(project_id, id)) as kept
      where kept.project_id = old.project_id and kept.id = old.id)
  limit $6) as batch where c.project_id = batch.project_id and c.id = batch.id;
