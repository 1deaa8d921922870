-- Only for events that a process of 0.1.0 records: this version adds the job in the statement that records the event
-- (`workflowConsumer`), and says so with a setting. The next release drops the trigger.
create or replace function dispatch_events() returns trigger language plpgsql as $$
begin
  if not exists (select from added where contact_id is not null) then return null; end if;
  perform posthorn_queue.add_job('dispatch-event',
    json_build_object('projectId', project_id, 'eventIds', json_agg(id order by id),
      'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int))
  from (
    select project_id, id, row_number() over (partition by project_id order by id) / 100 as batch
    from added
    where contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = added.project_id and w.event_name = added.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = added.project_id and s.event_name = added.name limit 1),
      (select true from workflows w where w.project_id = added.project_id and w.goal_event = added.name limit 1))
  ) as wanted
  group by project_id, batch;
  return null;
end $$;

create or replace trigger events_added after insert on events
  referencing new table as added for each statement when (coalesce(current_setting('posthorn.fanned_out', true), '') <> 'on')
  execute function dispatch_events();
