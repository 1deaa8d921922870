-- Members have no foreign key, because a million rows at once would check each of them.
create or replace function delete_segment_members() returns trigger language plpgsql as $$
begin
  delete from segment_members m using gone where m.project_id = gone.project_id and m.segment_id = gone.id;
  return null;
end $$;

create or replace trigger segments_gone after delete on segments
  referencing old table as gone for each statement execute function delete_segment_members();

-- Contacts that are added or changed make the tracked segments of their project due for another computation. A segment
-- that another statement is marking at this moment is skipped, so no writer of contacts waits for another one here.
create or replace function record_segments_changed() returns trigger language plpgsql as $$
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

create or replace trigger contacts_added_to_segments after insert on contacts
  referencing new table as changed for each statement execute function record_segments_changed();
create or replace trigger contacts_changed_in_segments after update on contacts
  referencing new table as changed for each statement execute function record_segments_changed();
