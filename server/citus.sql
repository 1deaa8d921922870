-- The plan for Citus, described in docs/scale.md: run once in a new database, after the migrations. Rows of a project are on
-- one node, because every key of these tables starts with project_id. `server/test/database/citus.test.ts` compares this
-- file with the catalog.

-- Small tables that are read with others, or whose keys identify a project: a copy on every node.
select create_reference_table('projects');
select create_reference_table('project_keys');
select create_reference_table('domains');
select create_reference_table('billing_customers');
select create_reference_table('users');
select create_reference_table('members');
select create_reference_table('invitations');
select create_reference_table('sessions');
select create_reference_table('account_tokens');
select create_reference_table('recovery_codes');
select create_reference_table('identities');
select create_reference_table('login_failures');

-- Tables of projects, distributed by project.
select create_distributed_table('audit_log', 'project_id');
select create_distributed_table('activity_watchers', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('billing_limits', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('campaign_count_changes', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('campaign_counts', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('campaign_recipients', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('campaigns', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('contact_count_changes', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('contact_counts', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('contact_fields', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('contact_job_inputs', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('contact_jobs', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('contacts', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('content_versions', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('delivery_count_changes', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('delivery_counts', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('dropped_counts', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('email_contents', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('email_day_changes', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('email_days', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('email_notes', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('emails', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('event_contact_changes', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('event_contacts', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('event_day_changes', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('event_days', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('event_names', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('events', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('idempotency_keys', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('key_uses', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('layouts', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('rate_windows', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('received_messages', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('saved_blocks', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('segment_members', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('segments', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('suppressions', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('templates', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('test_emails', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('uploads', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('usage_changes', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('usage_counts', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('webhook_secrets', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('workflow_drafts', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('workflow_executions', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('workflow_removed_steps', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('workflow_step_runs', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('workflow_steps', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('workflow_transitions', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('workflow_versions', 'project_id', colocate_with => 'audit_log');
select create_distributed_table('workflows', 'project_id', colocate_with => 'audit_log');

-- The queue of the sending rate compares all projects in one short statement, so it stays on the coordinator, like the jobs.
select citus_add_local_table_to_metadata('send_paces');
select citus_add_local_table_to_metadata('send_lines');
select citus_add_local_table_to_metadata('send_places');
