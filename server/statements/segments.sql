-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* add-to-member-count */
update segments set member_count = greatest(0, member_count + $1)
where project_id = $2 and id = $3;

/* claim-due-segment */
update segments set changed_at = null, computed_at = $1 from (
  select s.project_id, s.id from segments s join projects on projects.id = s.project_id
  where s.track_membership and s.type = 'DYNAMIC' and projects.disabled_at is null and (
    s.changed_at <= $2::timestamptz
    or s.computed_at <= $3::timestamptz
    or (s.computed_at <= $4::timestamptz and exists (
      select from events where events.project_id = s.project_id and events.name = any(s.event_names)
        and events.id >= first_id_at(s.computed_at - $5::interval)))
  )
  order by s.computed_at limit 1 for update of s skip locked
) as next
where segments.project_id = next.project_id and segments.id = next.id
returning segments.*;

/* delete-members */
delete from segment_members where project_id = $1 and segment_id = $2;

/* delete-old-segment-sizes */
with batch as materialized (
  select project_id, segment_id, day from segment_sizes where day < $1::date limit $2
), gone as (
  delete from segment_sizes z using batch b
  where z.project_id = b.project_id and z.segment_id = b.segment_id and z.day = b.day returning z.day
)
select count(*)::int as count from gone;

/* delete-segment */
delete from segments where project_id = $1 and id = $2;

/* find-campaigns-of-condition */
select id from campaigns where project_id = $1 and id = any($2::uuid[]);

/* find-segment */
select project_id, id, name, description, type, condition, track_membership, member_count, tags, created_at, updated_at from segments where project_id = $1 and id = $2;

/* find-workflows-of-condition */
select id from workflows where project_id = $1 and id = any($2::uuid[]);

/* insert-segment */
insert into segments (project_id, id, name, description, type, condition, fields, event_names, segment_ids,
  filter_count, track_membership, member_count, tags, computed_at, changed_at, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6::jsonb,
  $7::text[], $8::text[], $9::uuid[], $10,
  $11, $12, $13::text[], $14, $15, $16, $17)
returning project_id, id, name, description, type, condition, track_membership, member_count, tags, created_at, updated_at;

/* leave-segments */
with gone as (
  delete from segment_members where project_id = $1 and contact_id = any($2::uuid[])
  returning segment_id
), losses as (
  select segment_id, count(*)::int as members from gone group by segment_id
), losing as (
  select s.id, l.members from segments s join losses l on l.segment_id = s.id
  where s.project_id = $3 order by s.id for no key update of s
), counted as (
  update segments s set member_count = greatest(0, s.member_count - l.members)
  from losing l where s.project_id = $4 and s.id = l.id
)
select coalesce(sum(members), 0)::int as ended from losses;

/* list-segment-sizes */
select to_char(day, 'YYYY-MM-DD') as day, contacts, all_contacts as total from segment_sizes
where project_id = $1 and segment_id = $2 and day between $3::date and $4::date
order by day;

/* list-segments */
select project_id, id, name, description, type, condition, track_membership, member_count, tags, created_at, updated_at from segments where project_id = $1 order by id desc;

/* lock-segment */
select from segments where project_id = $1 and id = $2 for key share;

/* mark-dependent-segments */
update segments set changed_at = $1 from (
  select id from segments s where s.project_id = $2 and s.track_membership and s.type = 'DYNAMIC'
    and s.changed_at is null and s.segment_ids <> '{}'
  for update skip locked
) as stale
where segments.project_id = $3 and segments.id = stale.id;

/* read-segment-graph */
select id, name, segment_ids as "segmentIds", filter_count as "filterCount"
from segments where project_id = $1;

/* record-kept-segment-sizes */
insert into segment_sizes (project_id, segment_id, day, contacts, all_contacts)
  select s.project_id, s.id, $1::date, s.member_count, totals.contacts
  from segments s join (
    select t.project_id, (
select coalesce(sum(count), 0)::bigint from (
  select count from contact_counts where project_id = t.project_id and tally = $2 and path = '{}'
  union all
  select change from contact_count_changes where project_id = t.project_id and tally = $3
) as parts) as contacts
    from (select distinct project_id from segments) as t
  ) as totals on totals.project_id = s.project_id
  where (s.type = 'STATIC' or s.track_membership) and
exists (select from projects p where p.id = s.project_id and p.disabled_at is null)
  and not exists (
    select from segment_sizes z where z.project_id = s.project_id and z.segment_id = s.id and z.day = $4::date)
  order by s.project_id, s.id
  on conflict do nothing;

/* record-segment-size */
insert into segment_sizes (project_id, segment_id, day, contacts, all_contacts)
  select s.project_id, s.id, $1::date, $2::int, (
select coalesce(sum(count), 0)::bigint from (
  select count from contact_counts where project_id = $3 and tally = $4 and path = '{}'
  union all
  select change from contact_count_changes where project_id = $5 and tally = $6
) as parts)
  from segments s where s.project_id = $7 and s.id = $8
  on conflict do nothing;

/* resolve-segments */
with recursive named as (
  select unnest($1::uuid[]) as id
  union
  select unnest(s.segment_ids) from named join segments s on s.project_id = $2 and s.id = named.id
  where s.type = 'DYNAMIC' and not s.track_membership
)
select s.id, case when not s.track_membership then s.condition end as condition
from named join segments s on s.project_id = $3 and s.id = named.id;

/* set-member-count */
update segments set member_count = $1 where project_id = $2 and id = $3 and member_count <> $4;

/* start-computing */
update segments set changed_at = null, computed_at = $1 where project_id = $2 and id = $3;
