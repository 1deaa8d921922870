-- Settings of a project about when and how much marketing email is sent. Each is absent if it isn't set.
alter table projects add column sending jsonb not null default '{}';

-- Emails beyond the frequency cap of their project are SKIPPED. Not validated, because every stored status is one of the earlier ones.
alter table emails drop constraint emails_status_check;
alter table emails add constraint emails_status_check check (status in
  ('SCHEDULED', 'PENDING', 'SENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED', 'FAILED', 'CANCELLED', 'SKIPPED', 'RECEIVED')) not valid;
alter table campaign_counts add column skipped bigint not null default 0;
alter table campaign_count_changes add column skipped bigint not null default 0;

-- When the bounce or complaint rate of a campaign has paused it, and whether it has been judged.
alter table campaigns add column guarded_at timestamptz(3), add column guard_passed boolean not null default false;
