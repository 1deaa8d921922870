-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* insert-suppression */
insert into suppressions (project_id, email, id, reason, created_at)
values ($1, $2, $3, $4, $5)
-- Changes nothing, but locks the row that is there and returns it.
on conflict (project_id, email) do update set email = excluded.email
returning id, email, reason, created_at, xmax = 0 as is_new;

/* is-suppressed */
select exists (
select from suppressions where suppressions.project_id = $1 and suppressions.email = $2::text) as suppressed;

/* lift-suppressions */
delete from suppressions where project_id = $1 and email in (select unnest($2::text[]));
