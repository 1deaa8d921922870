-- If one project has a great many jobs, workers look for those of the others (posthorn_queue.find_in_turn).
create index jobs_by_project on posthorn_queue.jobs
  (priority, (coalesce(substring(payload::text from '"projectId"\s*:\s*"([^"]*)"'), '-') collate "C"), run_at, id)
  where locked_by is null and attempts < max_attempts;
