-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* contact-exists */
select from contacts where project_id = $1 and id = $2;

/* count-confirmation-days */
with counted as (
  select (at at time zone 'UTC')::date as day, count(*) filter (where kind = 'confirmation.requested') as requested,
    count(*) filter (where kind = 'confirmed') as confirmed
  from consents where project_id = $1
    and kind in ('confirmation.requested', 'confirmed')
    and at >= $2::timestamp at time zone 'UTC' and at < ($3::timestamp + interval '1 day') at time zone 'UTC' group by 1
)
select to_char(day, 'YYYY-MM-DD') as date, coalesce(requested, 0) as requested, coalesce(confirmed, 0) as confirmed
from (
  select generate_series($4::timestamp, $5::timestamp, interval '1 day')::date as day
) as days left join counted using (day) order by day;

/* count-confirmation-totals */
select count(*) as asked, count(*) filter (where confirmed) as confirmed
from (
  select bool_or(kind = 'confirmed') as confirmed from consents where project_id = $1
    and kind in ('confirmation.requested', 'confirmed')
    and at >= $2::timestamp at time zone 'UTC' and at < ($3::timestamp + interval '1 day') at time zone 'UTC'
  group by contact_id having bool_or(kind = 'confirmation.requested')
) as contact;

/* count-consents */
select count(*) as count from consents where project_id = $1 and contact_id = $2;

/* count-pending */
select count(*) as count from contacts where project_id = $1 and pending;

/* erase-consents */
delete from consents where project_id = $1 and (contact_id, id) in (
  select contact_id, id from consents where project_id = $2 and contact_id = any($3::uuid[]) limit $4);

/* find-objection */
select objected_at from objections
where project_id = $1 and email_hash = sha256(convert_to($2::uuid::text || ' ' || $3::text, 'UTF8'));
