-- Workers that can run jobs, and when each last recorded that it can (platform/queue/running-workers.ts).
create table posthorn_queue.running_workers (
  lock_number int primary key,
  seen_at timestamptz not null
);
