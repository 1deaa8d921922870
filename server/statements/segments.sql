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
