-- The failed deliveries of an endpoint, which its page counts and lists.
create index webhook_log_failed on webhook_log (project_id, endpoint_id, id) where not succeeded and not is_test;
