-- Segments: conditions over contacts, or lists of them, and who is known to be in one.

create table segments (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  name text not null,
  description text,
  type text not null check (type in ('DYNAMIC', 'STATIC')),
  condition jsonb check ((condition is null) = (type = 'STATIC')),
  -- What the condition refers to, as it was when saved.
  fields text[] not null default '{}',
  event_names text[] not null default '{}',
  segment_ids uuid[] not null default '{}',
  filter_count integer not null default 0,
  track_membership boolean not null default false,
  member_count integer not null default 0,
  -- Of tracked dynamic ones: when members were last brought up to date, and the first change of a contact since then.
  computed_at timestamptz(3) not null,
  changed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);
create index segments_tracked on segments (project_id) where track_membership and type = 'DYNAMIC';

-- Of static and of tracked segments. No foreign keys: a million rows at once would check each of them.
create table segment_members (
  project_id uuid not null,
  segment_id uuid not null,
  contact_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (project_id, segment_id, contact_id)
);
create index segment_members_contact on segment_members (project_id, contact_id);

create function forget_segment_members() returns trigger language plpgsql as $$
begin
  delete from segment_members m using gone where m.project_id = gone.project_id and m.segment_id = gone.id;
  return null;
end $$;
create trigger segments_gone after delete on segments
  referencing old table as gone for each statement execute function forget_segment_members();

-- Contacts that come or change make the tracked segments of their project worth another look. A segment that somebody
-- else is marking at this moment is passed over, so no writer of contacts ever waits for another one here.
create function note_segments_changed() returns trigger language plpgsql as $$
declare
  project uuid;
  at timestamptz;
begin
  for project, at in select project_id, min(updated_at) from changed group by project_id loop
    update segments set changed_at = at from (
      select s.project_id, s.id from segments s
      where s.project_id = project and s.track_membership and s.type = 'DYNAMIC' and s.changed_at is null
      for update skip locked
    ) as stale
    where segments.project_id = stale.project_id and segments.id = stale.id;
  end loop;
  return null;
end $$;
create trigger contacts_added_to_segments after insert on contacts
  referencing new table as changed for each statement execute function note_segments_changed();
create trigger contacts_changed_in_segments after update on contacts
  referencing new table as changed for each statement execute function note_segments_changed();

-- A date in full, to the millisecond, or null: text of two exact shapes that names a day there is.
-- The same rule as in kernel/condition-dates.ts.
create function date_text(value jsonb) returns text language sql immutable parallel safe as $$
  select case when jsonb_typeof(value) = 'string' and (value #>> '{}') ~ (
      '^([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
      '|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)'
      '(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{3})?Z)?$')
    then case length(value #>> '{}')
      when 10 then (value #>> '{}') || 'T00:00:00.000Z'
      when 20 then left(value #>> '{}', 19) || '.000Z'
      else value #>> '{}' end
  end
$$;

-- An id for a moment, as the service makes them: for statements that write many rows. `place` keeps their order.
create function id_at(at timestamptz, place bigint) returns uuid language sql volatile parallel safe as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint + place / 4096), 12, '0')
    || '7' || lpad(to_hex(place % 4096), 3, '0')
    || overlay(right(replace(gen_random_uuid()::text, '-', ''), 16) placing '8' from 1 for 1))::uuid
$$;

-- The smallest id of a moment.
create function first_id_at(at timestamptz) returns uuid language sql immutable parallel safe as $$
  select rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;
