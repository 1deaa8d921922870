-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* count-layout-users */
select (
select count(*)::int from (
  select from templates where project_id = $1 and document ->> 'layoutId' = $2
  union all
  select from campaigns where project_id = $3 and document ->> 'layoutId' = $4
    and status in ('DRAFT', 'SCHEDULED')
) as users) as emails;

/* delete-layout */
delete from layouts where project_id = $1 and id = $2;

/* delete-saved-blocks */
delete from saved_blocks where project_id = $1 and id = $2;

/* find-layout */
select id, name, header, footer, created_at, updated_at from layouts where project_id = $1 and id = $2;

/* find-saved-blocks */
select id, name, blocks, created_at, updated_at from saved_blocks where project_id = $1 and id = $2;

/* insert-layout */
insert into layouts (project_id, id, name, header, footer, created_at, updated_at)
select $1, $2, $3, $4::jsonb, $5::jsonb, $6::timestamptz, $7::timestamptz
where (select count(*) from layouts where project_id = $8) < $9
returning id, name, header, footer, created_at, updated_at;

/* insert-saved-blocks */
insert into saved_blocks (project_id, id, name, blocks, created_at, updated_at)
select $1, $2, $3, $4::jsonb, $5::timestamptz, $6::timestamptz
where (select count(*) from saved_blocks where project_id = $7) < $8
returning id, name, blocks, created_at, updated_at;

/* list-layouts */
select id, name, created_at, updated_at, (
select count(*)::int from (
  select from templates where project_id = $1 and document ->> 'layoutId' = layouts.id::text
  union all
  select from campaigns where project_id = $2 and document ->> 'layoutId' = layouts.id::text
    and status in ('DRAFT', 'SCHEDULED')
) as users) as emails
  from layouts where project_id = $3 order by lower(name), id;

/* list-saved-blocks */
select id, name, created_at, updated_at from saved_blocks where project_id = $1 order by lower(name), id;

/* lock-layout */
select updated_at from layouts where project_id = $1 and id = $2 for update;

/* lock-saved-blocks */
select updated_at from saved_blocks where project_id = $1 and id = $2 for update;

/* update-layout */
update layouts set name = coalesce($1, name),
  header = coalesce($2::jsonb, header), footer = coalesce($3::jsonb, footer),
  updated_at = greatest($4::timestamptz, updated_at + interval '1 millisecond')
where project_id = $5 and id = $6
returning id, name, header, footer, created_at, updated_at;

/* update-saved-blocks */
update saved_blocks set name = coalesce($1, name),
  blocks = coalesce($2::jsonb, blocks), updated_at = greatest($3::timestamptz, updated_at + interval '1 millisecond')
where project_id = $4 and id = $5
returning id, name, blocks, created_at, updated_at;
