create or replace function posthorn_queue.jobs_added() returns trigger language plpgsql as $$
begin
  perform posthorn_queue.wake_workers();
  return null;
end $$;

create or replace trigger jobs_added after insert on posthorn_queue.jobs for each statement execute function posthorn_queue.jobs_added();
