-- A caller who loses access to a project must not keep its activity stream: all streams of the project end, and clients
-- that still have access reconnect. Only projects with open streams are notified, as for their events.

create or replace function end_streams_of_projects() returns trigger language plpgsql as $$
begin
  perform pg_notify('posthorn_activity', 'access:' || w.project_id) from activity_watchers w
  where w.until > now() and w.project_id in (select project_id from gone);
  return null;
end $$;

create or replace function end_streams_of_people() returns trigger language plpgsql as $$
begin
  perform pg_notify('posthorn_activity', 'access:' || w.project_id) from activity_watchers w
  where w.until > now() and exists (
    select from members m join gone on gone.user_id = m.user_id where m.project_id = w.project_id);
  return null;
end $$;

create or replace trigger project_keys_gone after delete on project_keys
  referencing old table as gone for each statement execute function end_streams_of_projects();

create or replace trigger api_key_secrets_gone after delete on api_key_secrets
  referencing old table as gone for each statement execute function end_streams_of_projects();

-- With fewer scopes, an earlier expiry or other addresses.
create or replace trigger api_keys_changed after update on api_keys
  referencing old table as gone for each statement execute function end_streams_of_projects();

create or replace trigger members_gone after delete on members
  referencing old table as gone for each statement execute function end_streams_of_projects();

create or replace trigger sessions_gone after delete on sessions
  referencing old table as gone for each statement execute function end_streams_of_people();
