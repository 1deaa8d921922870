-- Jobs with plainer names. Queued jobs and the times of periodic jobs are kept. A worker of an older version claims only
-- jobs that it has a handler for, so it leaves the renamed ones to others.
create temporary table renamed_jobs (old text, new text) on commit drop;
insert into renamed_jobs values
  ('settle-campaign', 'complete-campaign'),
  ('tend-campaigns', 'recover-campaigns'),
  ('forget-bodies', 'delete-old-bodies'),
  ('forget-events', 'delete-old-events'),
  ('forget-expired', 'delete-expired');

insert into posthorn_queue.job_kinds (name, priority, max_attempts, planned_at)
select r.new, kind.priority, kind.max_attempts, kind.planned_at
from posthorn_queue.job_kinds kind join renamed_jobs r on kind.name = r.old
on conflict (name) do nothing;
delete from posthorn_queue.job_kinds kind using renamed_jobs r where kind.name = r.old;

update posthorn_queue.jobs as job
set name = r.new,
  key = case
    when key = 'timetable:' || r.old then 'timetable:' || r.new
    when key like 'settle:%' then 'complete:' || substr(key, length('settle:') + 1)
    else key
  end
from renamed_jobs r where job.name = r.old;
