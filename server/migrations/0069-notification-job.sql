-- A plainer name for the job that processes an SNS notification; queued jobs are kept. If an API process of an older version
-- is still running, it can't add the job: its request fails, and SNS sends the message again.
insert into posthorn_queue.job_kinds (name, priority, max_attempts)
select 'process-notification', priority, max_attempts from posthorn_queue.job_kinds where name = 'take-notification'
on conflict (name) do nothing;
delete from posthorn_queue.job_kinds where name = 'take-notification';

update posthorn_queue.jobs set name = 'process-notification' where name = 'take-notification';
