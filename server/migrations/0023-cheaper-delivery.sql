-- A captured message is written once and hardly ever read: compressing it took a tenth of what its delivery costs.
alter table captured_messages alter column raw set storage external;

-- Taking an email for sending changes nothing that is counted, and says so.
create function is_claiming() returns boolean language sql stable as $$
  select coalesce(current_setting('posthorn.claiming', true), '') = 'on'
$$;

create or replace trigger campaign_emails_changed after update on emails
  referencing old table as before new table as after for each statement when (not is_claiming())
  execute function note_campaign_emails_changed();
create or replace trigger emails_counted after update on emails
  referencing old table as before new table as after for each statement when (not is_claiming())
  execute function note_emails_changed();
create or replace trigger emails_delivered after update on emails
  referencing old table as before new table as after for each statement when (not is_claiming())
  execute function note_deliveries();
