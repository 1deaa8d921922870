-- Who gets a campaign is written a million rows at a time. Checking each of them against the campaign took two thirds
-- of that, though one statement writes them all for a campaign that it has in hand. They still go with the campaign.

alter table campaign_recipients drop constraint campaign_recipients_project_id_campaign_id_fkey;

create function forget_campaign_recipients() returns trigger language plpgsql as $$
begin
  delete from campaign_recipients r using gone where r.project_id = gone.project_id and r.campaign_id = gone.id;
  return null;
end $$;

create trigger campaigns_gone after delete on campaigns
  referencing old table as gone for each statement execute function forget_campaign_recipients();
