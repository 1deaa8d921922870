-- Records what changed for the emails of a campaign, as differences that the campaign's counts add up.
create or replace function record_campaign_emails_changed() returns trigger language plpgsql as $$
begin
  if not exists (select from after where campaign_id is not null) then return null; end if; -- an email keeps its campaign, if it has one
  insert into campaign_count_changes (project_id, campaign_id, ended, sent, delivered, opened, clicked, bounced, complained, failed, refused, skipped)
  select * from (
    select project_id, campaign_id,
      sum(sign * (status not in ('PENDING', 'SENDING'))::int) as ended,
      sum(sign * (sent_at is not null)::int) as sent,
      sum(sign * is_delivered(delivered_at, bounced_at)::int) as delivered,
      sum(sign * (opened_at is not null)::int) as opened,
      sum(sign * (clicked_at is not null)::int) as clicked,
      sum(sign * (bounced_at is not null)::int) as bounced,
      sum(sign * (complained_at is not null)::int) as complained,
      sum(sign * (status = 'FAILED')::int) as failed,
      sum(sign * is_refused(sent_at, bounced_at)::int) as refused,
      sum(sign * (status = 'SKIPPED')::int) as skipped
    from (
      select 1 as sign, a.* from after a where a.campaign_id is not null
      union all
      select -1, b.* from before b where b.campaign_id is not null
    ) as email
    group by project_id, campaign_id
  ) as change
  where (ended, sent, delivered, opened, clicked, bounced, complained, failed, refused, skipped) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  return null;
end $$;

create or replace trigger campaign_emails_changed after update on emails
  referencing old table as before new table as after for each statement when (coalesce(current_setting('posthorn.counted', true), '') <> 'on')
  execute function record_campaign_emails_changed();

-- Recipients have no foreign key: checking each of a million took two thirds of the time that inserting them takes.
create or replace function delete_campaign_recipients() returns trigger language plpgsql as $$
begin
  delete from campaign_recipients r using gone where r.project_id = gone.project_id and r.campaign_id = gone.id;
  delete from campaign_wave_recipients r using gone where r.project_id = gone.project_id and r.campaign_id = gone.id;
  return null;
end $$;

create or replace trigger campaigns_gone after delete on campaigns
  referencing old table as gone for each statement execute function delete_campaign_recipients();
