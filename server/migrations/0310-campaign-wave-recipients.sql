-- The recipients of campaigns with waves have a table of their own, with a single index: writing two took longer than everything
-- else that happens when a campaign starts.
create table campaign_wave_recipients (
  project_id uuid not null,
  campaign_id uuid not null,
  wave int not null,
  contact_id uuid not null,
  primary key (project_id, campaign_id, wave, contact_id)
);

insert into campaign_wave_recipients (project_id, campaign_id, wave, contact_id)
select project_id, campaign_id, wave, contact_id from campaign_recipients where wave is not null;

delete from campaign_recipients where wave is not null;
alter table campaign_recipients drop column wave;
