-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* mark-editing */
with marked as (
  update members set editing = $1, editing_at = $2::timestamptz
  where project_id = $3 and user_id = $4::uuid
)
select users.id, users.email from members join users on users.id = members.user_id
where members.project_id = $5 and members.editing = $6 and members.editing_at > $7::timestamptz
  and members.user_id is distinct from $8::uuid
order by users.email;
