-- A test email belongs to no campaign and counts in no statistics. Until 0.2.0 its source was CAMPAIGN.
create or replace function is_test(source_type text, campaign_id uuid) returns boolean language sql immutable parallel safe as $$
  select source_type = 'TEST' or (source_type = 'CAMPAIGN' and campaign_id is null)
$$;
